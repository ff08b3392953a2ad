import type { ChargeOutcome, PaymentLookup, PaymentProcessor } from '@tillkit/checkout'
import type { Payment } from '@tillkit/till'
import Stripe from 'stripe'
import { createIntents } from './intents.ts'

/** What `stripeProcessor` takes beside Stripe. */
export interface StripeProcessorOptions {
  /** ISO 4217; the cents of all amounts are its smallest unit, as Stripe's are. */
  currency: string
  /** After how long a customer who does not confirm has not paid: an hour. */
  abandonedSeconds?: number
}

/** Payments that Stripe takes, as PaymentIntents. */
export function stripeProcessor(
  stripe: Stripe,
  { currency, abandonedSeconds = 3600 }: StripeProcessorOptions,
): PaymentProcessor & { lookup: PaymentLookup } {
  const intents = createIntents(stripe, currency)

  const isAbandoned = ({ date }: Payment) => Date.now() - Date.parse(date) > abandonedSeconds * 1000

  /** Null while nobody has tried to pay it, and may yet. */
  async function outcomeOf(intent: Stripe.PaymentIntent, payment: Payment): Promise<ChargeOutcome | null> {
    switch (intent.status) {
      case 'succeeded':
        return { status: 'completed' }
      case 'processing':
        return { status: 'pending' }
      case 'canceled':
        return { status: 'error', failure: failureOf(intent) }
      case 'requires_action': {
        const url = intent.next_action?.redirect_to_url?.url
        return url && !isAbandoned(payment) ? { status: 'redirect', url } : ended(intent)
      }
      case 'requires_payment_method':
      case 'requires_confirmation':
        // One that was declined could be tried again with another card, by whoever has its client secret.
        return intent.last_payment_error || isAbandoned(payment) ? ended(intent) : null
      default:
        throw new Error(`Stripe has the PaymentIntent ${intent.id} as ${intent.status}`)
    }
  }

  async function ended(intent: Stripe.PaymentIntent, why?: string): Promise<ChargeOutcome> {
    const last = await intents.end(intent)
    if (last.status === 'succeeded') return { status: 'completed' }
    if (last.status === 'processing') return { status: 'pending' }
    if (last.status !== 'canceled') throw new Error(`Stripe keeps ${intent.id} as ${last.status}`)
    return { status: 'error', failure: failureOf(intent, why) }
  }

  /** The intent of a payment that was refused. All else is no answer: what became of it is found by `lookup`. */
  async function refused(error: unknown, id: string): Promise<Stripe.PaymentIntent> {
    if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return stripe.paymentIntents.retrieve(id)
    throw error
  }

  return {
    async charge(payment, { fields, returnUrl, idempotencyKey, signal }) {
      const method = methodOf(fields.payment_method)
      if (method === null) return { status: 'error', failure: 'payment_method_missing' }
      const { id } = await intents.create(payment)
      signal.throwIfAborted() // nobody waits for it any longer: it is not begun
      const confirmed = await stripe.paymentIntents
        .confirm(id, { ...method, return_url: returnUrl }, { idempotencyKey: `${idempotencyKey}:confirm` })
        .catch(error => refused(error, id))
      const outcome = await outcomeOf(confirmed, payment)
      return outcome ?? ended(confirmed, 'payment_method_refused')
    },

    async lookup(payment) {
      const intent = await intents.find(payment)
      const outcome = intent && (await outcomeOf(intent, payment))
      return outcome ?? { status: 'unknown' }
    },
  }
}

/** How a customer pays: by iDEAL, or by what Stripe's Payment Element, or its test mode, made of a card. */
function methodOf(given: string | undefined): Stripe.PaymentIntentConfirmParams | null {
  if (given === 'ideal') return { payment_method_data: { type: 'ideal' } }
  return given !== undefined && /^pm_\w{1,250}$/.test(given) ? { payment_method: given } : null
}

function failureOf({ last_payment_error: error }: Stripe.PaymentIntent, otherwise = 'abandoned'): string {
  return error?.decline_code ?? error?.code ?? otherwise
}
