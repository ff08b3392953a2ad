import {
  assertOutcome,
  type Instant,
  instant,
  isSamePayment,
  type Outcome,
  type Payment,
  type PaymentKey,
  paymentKey,
  TillError,
  validate,
} from '@tillkit/domain'
import type { Resolved } from '@tillkit/storage'
import { traced } from '@tillkit/storage/channels'
import { type PaymentMessage, paymentChannel, traceOf } from '../channels/payment.ts'
import type { Context } from '../context.ts'
import type { Payments } from './calls.ts'
import { reasonOf } from './reason.ts'

export function complete(context: Context): Payments['complete'] {
  return async input => {
    const key = validate(paymentKey, input, 'a payment')
    return resolve(context, key, { status: 'completed' })
  }
}

export function fail(context: Context): Payments['fail'] {
  return async (input, options) => {
    const key = validate(paymentKey, input, 'a payment')
    return resolve(context, key, { status: 'error', failure: reasonOf(context.logger, key, options) })
  }
}

async function resolve(context: Context, key: PaymentKey, outcome: Outcome): Promise<Payment> {
  const { payment } = await recordOutcome(context, key, outcome)
  assertOutcome(payment, outcome)
  return payment
}

/**
 * Gives a pending payment its outcome, and the worker its webhook to deliver. `changed` says whether this call did; the
 * payment may have ended otherwise. Throws `not_found` for an unknown one.
 */
export function recordOutcome(
  context: Context,
  key: PaymentKey,
  outcome: Outcome,
): Promise<{ payment: Payment; changed: boolean }> {
  if (!paymentChannel.hasSubscribers) return record(context, key, outcome)
  const { merchantId, id } = key
  const operation = outcome.status === 'completed' ? 'complete' : 'fail'
  const message: PaymentMessage = { till: context.name, operation, merchantId, paymentId: id }
  return traced(paymentChannel, message, () => record(context, key, outcome, message))
}

/** The same for a payment that was read a while ago: throws where another one has its id by now. */
export async function recordOutcomeOf(
  context: Context,
  read: Payment,
  outcome: Outcome,
): Promise<{ payment: Payment; changed: boolean }> {
  const key: PaymentKey = { merchantId: read.merchantId, id: read.id }
  const now = await context.storage.payments.get(key)
  if (now && !isSamePayment(read, now)) throw new Error('another payment has its id by now')
  return recordOutcome(context, key, outcome)
}

async function record(
  { storage, clock, wakeWorker, keepPlace }: Context,
  key: PaymentKey,
  outcome: Outcome,
  message?: PaymentMessage,
): Promise<{ payment: Payment; changed: boolean }> {
  const place = keepPlace(key.merchantId)
  let resolved: Resolved | null = null
  try {
    const trace = traceOf(message)
    resolved = await storage.payments.resolve(key, outcome, timeOf(clock), trace, place?.leaseUntil)
  } finally {
    place?.take(resolved?.claimed)
  }
  if (resolved === null) {
    throw new TillError('not_found', `merchant ${key.merchantId} has no payment ${key.id}`)
  }
  const { payment, changed, claimed } = resolved
  if (changed && !(place && claimed)) wakeWorker()
  return { payment, changed }
}

/** Only the delivery is due by it: no host's clock keeps an outcome from being recorded. */
function timeOf(clock: Context['clock']): Instant | null {
  try {
    return clock.given()
  } catch {
    return instant(new Date())
  }
}
