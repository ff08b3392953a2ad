import type { HttpRequest } from '@tillkit/http'
import type { LookupAnswer, LookupContext, Merchant, Payment } from '@tillkit/till'
import type { CustomerStep } from '../standing/step.ts'

/** The host's card processor. */
export interface PaymentProcessor {
  /**
   * Charges the customer `payment.totalAmount` cents. Called at most once for a payment, whatever the customer presses and
   * in however many processes.
   *
   * What it throws, and an answer that does not come, mean that the outcome is unknown: the payment stays pending until
   * `lookup` or the host knows. So a refusal is an answer, `error`, not an exception.
   */
  charge(payment: Payment, context: ChargeContext): Promise<ChargeOutcome> | ChargeOutcome
  /**
   * What became of a charge, by the payment that it was for: asked where `charge` did not tell, when a customer comes back from
   * elsewhere, and what `till.payments.reconcile` takes. `error` only where the customer was not charged and never will be;
   * `unknown` where the processor cannot tell, or has not heard of the payment and may yet; `redirect` and `action` while
   * the customer's step is still to be done, so that a page finds the way there again after a reload or a crash.
   */
  lookup?: PaymentLookup
}

/** Asks a processor how a payment stands. Fit for `till.payments.reconcile`, to which a step is `pending`. */
export type PaymentLookup = (
  payment: Payment,
  context: LookupContext,
) => LookupAnswer | CustomerStep | Promise<LookupAnswer | CustomerStep>

/**
 * What came of a charge. `pending` leaves the outcome to the host; `redirect` and `action` send the customer elsewhere first.
 * `failure` is kept with the payment; the page has words for those that its texts name.
 */
export type ChargeOutcome =
  | {
      /** The customer was charged. */
      status: 'completed'
    }
  | {
      /** The customer was not charged, and will not be. */
      status: 'error'
      /** Why, such as `card_declined`: text of up to 255 characters. */
      failure?: string
    }
  | {
      /** Not known yet: the host says later. */
      status: 'pending'
    }
  | CustomerStep

/** An outcome that is known: the money has moved, or it has not and will not. */
export type KnownOutcome = Extract<ChargeOutcome, { status: 'completed' | 'error' }>

/** Is handed an outcome that could not be recorded, so that it is not known to a process alone. */
export type OnUnrecorded = (payment: Payment, outcome: KnownOutcome) => void | Promise<void>

/** What a processor may need beside the payment. */
export interface ChargeContext {
  /** Whom the customer pays. */
  merchant: Merchant
  /** What the customer posted in the host's own fields, such as a card token. */
  fields: Readonly<Record<string, string>>
  /** The request that pressed the button: cookies, address. Its body is read. */
  request: HttpRequest
  /**
   * Names the payment for the processor, as `idempotencyKey(payment)` does: a charge that is sent twice under it must be one.
   */
  idempotencyKey: string
  /**
   * Where the customer comes back to from elsewhere: an absolute address of the page. By GET or POST, with whatever a processor
   * adds to its query; nothing of that is believed, `lookup` is asked. It shows the outcome to the customer's own browser alone.
   */
  returnUrl: string
  /** Aborts when the answer is given up on; one that comes later is recorded all the same. */
  signal: AbortSignal
}
