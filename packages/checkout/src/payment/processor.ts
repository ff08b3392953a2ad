import type { HttpRequest } from '@tillkit/http'
import type { Merchant, Payment } from '@tillkit/till'

/** The host's card processor. */
export interface PaymentProcessor {
  /**
   * Charges the customer `payment.totalAmount` cents. Called at most once for a payment, whatever the customer presses and
   * in however many processes.
   *
   * What it throws, and an answer that does not come, mean that the outcome is unknown: the payment stays pending until the
   * host says `till.payments.complete` or `fail`. So a refusal is an answer, `error`, not an exception.
   */
  charge(payment: Payment, context: ChargeContext): Promise<ChargeOutcome> | ChargeOutcome
}

/**
 * What came of a charge. `pending` leaves the outcome to the host. `failure` is kept with the payment; the page has words
 * for those that its texts name.
 */
export type ChargeOutcome =
  | { status: 'completed' }
  | { status: 'error'; failure?: string }
  | { status: 'pending' }

/** What a processor may need beside the payment. */
export interface ChargeContext {
  merchant: Merchant
  /** What the customer posted in the host's own fields, such as a card token. */
  fields: Readonly<Record<string, string>>
  /** The request that pressed the button: cookies, address. Its body is read. */
  request: HttpRequest
  /** Aborts when the answer is given up on; one that comes later is recorded all the same. */
  signal: AbortSignal
}
