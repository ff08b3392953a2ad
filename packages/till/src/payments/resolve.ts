import {
  assertOutcome,
  failPayment,
  type Outcome,
  type Payment,
  type PaymentKey,
  paymentKey,
  TillError,
  validate,
} from '@tillkit/domain'
import type { Context } from '../context.ts'
import type { Payments } from '../till.ts'

export function complete(context: Context): Payments['complete'] {
  return key => resolve(context, key, { status: 'completed' })
}

export function fail(context: Context): Payments['fail'] {
  return async (key, options) => {
    const { failure } = validate(failPayment, options ?? {}, 'the options of fail')
    return resolve(context, key, { status: 'error', failure: failure ?? null })
  }
}

async function resolve(
  { storage, now, wakeWorker }: Context,
  input: PaymentKey,
  outcome: Outcome,
): Promise<Payment> {
  const key = validate(paymentKey, input, 'a payment')
  const resolved = await storage.payments.resolve(key, outcome, now())
  if (resolved === null) {
    throw new TillError('not_found', `merchant ${key.merchantId} has no payment ${key.id}`)
  }
  if (resolved.changed) wakeWorker()
  assertOutcome(resolved.payment, outcome)
  return resolved.payment
}
