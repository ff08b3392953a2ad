/** Where a payment is: `pending` until its outcome is known, then one of the others for good (API 3). */
export type PaymentStatus = 'pending' | 'completed' | 'error'

/** What every payment object has (API 2.1). Amounts are in cents; what is not defined is null. */
interface PaymentFields {
  /** 1, 2, 3 … for each merchant, without a gap. */
  id: number
  /** Whether it ended, and how. */
  status: PaymentStatus
  /** When it was started, in UTC: `2026-11-20T09:30:00Z`. */
  date: string
  /** What the customer pays, in cents, tip included. */
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
  /** What was owed, in cents: `amount` of the payment URL. */
  requiredAmount: number | null
  /** The merchant's own reference: `id` of the payment URL. */
  merchantReference: string | null
  /** Six digits, shown to the customer when the payment succeeds. */
  authCode: string | null
  /** The other parameters of the payment URL, name to value. */
  extra: Record<string, string>
}

/** A payment (API 2.1). */
export interface Payment extends PaymentFields {
  /** Whether a voucher was bought. */
  isVoucher: boolean
  /** Whether a voucher was paid with. */
  isVoucherRedemption: boolean
}

/** A payment in the lists of an account that shows devices there (API 2.1). */
export interface DevicePayment extends PaymentFields {
  /** The device it was taken on. */
  deviceSerialNumber: string | null
  /** Always `payment`. */
  transactionType: 'payment'
}

/** A payment of a list: which of the two forms is a matter of the account. `'isVoucher' in payment` tells them apart. */
export type ListedPayment = Payment | DevicePayment

/** Whether an answer's object can be a payment: it has a number, a date and a status. */
export function isPayment(object: object): object is Payment {
  const { id, status, date } = object as Partial<Payment>
  return Number.isSafeInteger(id) && typeof status === 'string' && !Number.isNaN(Date.parse(String(date)))
}
