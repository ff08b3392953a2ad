/** The payment object of a delivery (API 2.1). Amounts are in cents; what is not defined is null. */
export interface WebhookPayment {
  /** 1, 2, 3 … for each merchant. */
  id: number
  /** A pending payment is never sent (API 6.2). */
  status: 'completed' | 'error'
  /** When the payment was started, in UTC: `2026-11-20T09:30:00Z`. */
  date: string
  /** What the customer paid, in cents, tip included. */
  totalAmount: number
  /** The tip in cents; null where the account has no tips. */
  tipAmount: number | null
  /** The code that was scanned. */
  scanCode: string
  /** The merchant's own name for the code. */
  scanCodeReference: string | null
  /** What the customer entered; null where the account has no such references. */
  userReference: string | null
  /** The settlement that paid it out; null until then. */
  statementReference: string | null
  /** Whether a voucher was bought. */
  isVoucher: boolean
  /** Whether a voucher was paid with. */
  isVoucherRedemption: boolean
  /** What was owed, in cents: `amount` of the payment URL. */
  requiredAmount: number | null
  /** The merchant's own reference: `id` of the payment URL. */
  merchantReference: string | null
  /** Six digits, shown to the customer when the payment succeeded. */
  authCode: string | null
  /** The other parameters of the payment URL, name to value. */
  extra: Record<string, string>
}
