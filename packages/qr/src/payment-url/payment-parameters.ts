/** What a payment URL says of the payment it starts (API 4.7), under the names `till.payments.start` takes. */
export interface PaymentParameters {
  /** The merchant's code: 1 to 64 of `A-Za-z0-9_-`. */
  scanCode: string
  /** The order number shown on the customer's phone; `id` in the URL. */
  merchantReference?: string
  /** The amount owed, in cents: an integer from 0 to 2^53 - 1; `amount` in the URL. */
  requiredAmount?: number
  /** True: the reference cannot be paid twice, nor less than the amount; `strict=true` in the URL. */
  strict?: boolean
  /** Any other parameters, name to value, handed back in the payment's `extra`. */
  extra?: Record<string, string>
}
