import { randomBytes } from 'node:crypto'
import { StripeError } from './stripe-error.ts'

/** A PaymentIntent, as far as this example has to do with it. */
export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  client_secret: string
  metadata: Record<string, string>
  next_action: {
    type: 'redirect_to_url'
    redirect_to_url: { url: string; return_url: string }
  } | null
  last_payment_error: { type: 'card_error'; code: string; decline_code?: string; message: string } | null
  cancellation_reason: string | null
  created: number
}

export function newIntent(form: URLSearchParams): Intent {
  onlyKnown(form, /^(?:amount|currency|allowed_payment_method_types\[\d+\]|metadata\[\w+\])$/)
  const amount = Number(form.get('amount'))
  if (!Number.isSafeInteger(amount) || amount < 1) {
    throw new StripeError(400, { code: 'parameter_invalid_integer', message: 'Invalid integer: amount' })
  }
  const id = `pi_${randomBytes(12).toString('hex')}`
  const metadata = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? []
    return key === undefined ? [] : [[key, value] as const]
  })
  return {
    id,
    object: 'payment_intent',
    amount,
    currency: form.get('currency') ?? '',
    status: 'requires_payment_method',
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    metadata: Object.fromEntries(metadata),
    next_action: null,
    last_payment_error: null,
    cancellation_reason: null,
    // Whatever the clock of this machine is set to: Stripe's is another.
    created: Math.floor((performance.timeOrigin + performance.now()) / 1000),
  }
}

/** Tries to pay it by the method of the form. */
export function confirm(intent: Intent, form: URLSearchParams, hostedUrl: string): void {
  onlyKnown(form, /^(?:payment_method|payment_method_data\[type\]|return_url)$/)
  if (intent.status !== 'requires_payment_method') unexpected(intent, 'confirm')
  const method = form.get('payment_method') ?? form.get('payment_method_data[type]')
  switch (method) {
    case 'pm_card_visa':
      intent.status = 'succeeded'
      return
    case 'pm_card_visa_chargeDeclined':
      intent.last_payment_error = decline('generic_decline')
      throw new StripeError(402, { ...intent.last_payment_error, payment_intent: intent })
    case 'pm_card_authenticationRequired':
    case 'ideal': {
      const return_url = form.get('return_url')
      if (return_url === null) {
        throw new StripeError(400, { message: 'This PaymentIntent needs a `return_url`.' })
      }
      intent.status = 'requires_action'
      const url = `${hostedUrl}/authorize/${intent.id}`
      intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url, return_url } }
      return
    }
    default:
      throw new StripeError(400, { code: 'resource_missing', message: `No such PaymentMethod: '${method}'` })
  }
}

/** What the customer does on the page that is theirs to confirm on. Returns where they go back to. */
export function authorize(intent: Intent, agreed: boolean): string {
  const back = intent.next_action?.redirect_to_url.return_url ?? ''
  if (intent.status === 'requires_action') {
    intent.status = agreed ? 'succeeded' : 'requires_payment_method'
    if (!agreed) {
      const message = 'We are unable to authenticate your payment method.'
      intent.last_payment_error = {
        type: 'card_error',
        code: 'payment_intent_authentication_failure',
        message,
      }
    }
  }
  return back
}

export function cancel(intent: Intent, form: URLSearchParams): void {
  onlyKnown(form, /^cancellation_reason$/)
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action') {
    unexpected(intent, 'cancel')
  }
  Object.assign(intent, {
    status: 'canceled',
    next_action: null,
    cancellation_reason: form.get('cancellation_reason'),
  })
}

/** What Stripe does not know it refuses. */
function onlyKnown(form: URLSearchParams, known: RegExp): void {
  const unknown = [...form.keys()].find(name => !known.test(name))
  if (unknown === undefined) return
  throw new StripeError(400, { code: 'parameter_unknown', message: `Received unknown parameter: ${unknown}` })
}

function unexpected(intent: Intent, verb: string): never {
  throw new StripeError(400, {
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  })
}

function decline(decline_code: string): NonNullable<Intent['last_payment_error']> {
  return { type: 'card_error', code: 'card_declined', decline_code, message: 'Your card was declined.' }
}
