/** The payment object of a delivery (specification 2.1). Amounts are in cents; what is not defined is null. */
export interface WebhookPayment {
  /** 1, 2, 3 … for each merchant. */
  id: number
  /** A pending payment is never sent (specification 6.2). */
  status: 'completed' | 'error'
  /** When the payment was started, in UTC: `2026-11-20T09:30:00Z`. */
  date: string
  /** Includes `tipAmount`. */
  totalAmount: number
  tipAmount: number | null
  scanCode: string
  scanCodeReference: string | null
  userReference: string | null
  /** The settlement that paid it out; null until then. */
  statementReference: string | null
  isVoucher: boolean
  isVoucherRedemption: boolean
  requiredAmount: number | null
  merchantReference: string | null
  /** Six digits, shown to the customer when the payment succeeded. */
  authCode: string | null
  /** The other parameters of the payment URL, name to value. */
  extra: Record<string, string>
}
