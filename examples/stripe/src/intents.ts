import { idempotencyKey } from '@tillkit/checkout'
import type { Payment } from '@tillkit/till'
import Stripe from 'stripe'

/** The PaymentIntents of payments: each has one, found by the payment's name. */
export interface Intents {
  /** Makes the payment's intent, or finds the one that was made. It moves no money. */
  create(payment: Payment): Promise<Stripe.PaymentIntent>
  /** The payment's intent as it stands now; null where Stripe does not know one. */
  find(payment: Payment): Promise<Stripe.PaymentIntent | null>
  /** Ends an intent that nobody paid, so that nobody can any more. Returns it as it stands then, which may be paid after all. */
  end(intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent>
}

/** Stripe forgets an idempotency key when it is a day old. Asked under it after that, it would make another intent. */
const REMEMBERED_MS = 23 * 3_600_000

export function createIntents(stripe: Stripe, currency: string): Intents {
  async function create(payment: Payment): Promise<Stripe.PaymentIntent> {
    const name = idempotencyKey(payment)
    // The same for the same payment at any time: a key that comes again with anything else is an error.
    return stripe.paymentIntents.create(
      {
        amount: payment.totalAmount,
        currency,
        allowed_payment_method_types: ['card', 'ideal'],
        metadata: { payment: name },
      },
      { idempotencyKey: name },
    )
  }

  /** By its metadata, which Stripe's search knows within a minute or so; where there are several, the one that was paid, or may be yet. */
  async function search(payment: Payment): Promise<Stripe.PaymentIntent | null> {
    const query = `metadata['payment']:'${idempotencyKey(payment)}'`
    const { data } = await stripe.paymentIntents.search({ query })
    const inState = (wanted: Stripe.PaymentIntent.Status) => data.find(({ status }) => status === wanted)
    return inState('succeeded') ?? inState('processing') ?? data.at(-1) ?? null
  }

  return {
    create,

    async find(payment) {
      if (Date.now() - Date.parse(payment.date) > REMEMBERED_MS) return search(payment)
      const made = await create(payment).catch(error => {
        // Stripe repeats under a key that it failed, whatever it has done.
        if (error instanceof Stripe.errors.StripeAPIError) return null
        throw error
      })
      if (made === null) return search(payment)
      // By Stripe's clock, as this machine's may be behind: another was made.
      if (made.created * 1000 - Date.parse(payment.date) > REMEMBERED_MS) return search(payment)
      // What it repeats is how the intent was when it was made, which is not how it stands.
      return stripe.paymentIntents.retrieve(made.id)
    },

    async end({ id }) {
      try {
        return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
      } catch (error) {
        const late = error instanceof Stripe.errors.StripeInvalidRequestError
        if (late && error.code === 'payment_intent_unexpected_state')
          return stripe.paymentIntents.retrieve(id)
        throw error
      }
    },
  }
}
