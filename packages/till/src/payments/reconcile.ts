import { after, type Outcome, type Payment, type PaymentKey, validate, wireDate } from '@tillkit/domain'
import type { PendingPayment } from '@tillkit/storage'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { messageOf } from '../error-message.ts'
import type { Payments, Reconciled } from './calls.ts'
import { createFailures } from './failures.ts'
import { type Answered, ask, assertLookup } from './lookup.ts'
import { eachAtOnce, olderThanSeconds, pendingUntil } from './pending.ts'
import { fittingFailure } from './reason.ts'
import { recordOutcomeOf } from './resolve.ts'

const CONCURRENCY = 'must be an integer from 1 to 100'
const TIMEOUT = 'must be a number of seconds above 0, up to 600'

const reconcileOptions = z.strictObject({
  olderThanSeconds,
  concurrency: z.int(CONCURRENCY).min(1, CONCURRENCY).max(100, CONCURRENCY).default(8),
  timeoutSeconds: z.number(TIMEOUT).positive(TIMEOUT).max(600, TIMEOUT).default(30),
  signal: z.instanceof(AbortSignal, { message: 'must be an AbortSignal' }).optional(),
})

export function reconcile(context: Context): Payments['reconcile'] {
  const { storage, clock, logger } = context
  return async (lookup, options) => {
    assertLookup(lookup)
    const { olderThanSeconds, concurrency, timeoutSeconds, signal } = validate(
      reconcileOptions,
      options,
      'the options of reconcile',
    )
    const counts: Reconciled = { completed: 0, failed: 0, pending: 0, unknown: 0, errors: 0 }
    const failures = createFailures(logger, 'reconcile')

    const settle = async ({ merchantId, id, payment }: PendingPayment): Promise<keyof Reconciled | null> => {
      const key = { merchantId, id }
      if (payment === null) {
        failures.add('error', key, 'a pending payment cannot be read')
        return 'errors'
      }
      let answer: Answered
      try {
        // It may scribble on what it is handed.
        answer = await ask(lookup, { ...payment }, timeoutSeconds, signal)
      } catch (error) {
        if (signal?.aborted) return null
        failures.add('warn', key, 'the lookup of a payment failed', { error: messageOf(error) })
        return 'errors'
      }
      if (answer.status === 'pending' || answer.status === 'unknown') return answer.status
      const outcome: Outcome =
        answer.status === 'completed'
          ? { status: 'completed' }
          : { status: 'error', failure: fittingFailure(logger, key, answer.failure) }
      return record(payment, outcome)
    }

    const record = async (asked: Payment, outcome: Outcome): Promise<keyof Reconciled | null> => {
      const key: PaymentKey = { merchantId: asked.merchantId, id: asked.id }
      try {
        const { payment, changed } = await recordOutcomeOf(context, asked, outcome)
        if (changed) return outcome.status === 'completed' ? 'completed' : 'failed'
        // Somebody else recorded the same meanwhile, and counts it.
        if (payment.status === outcome.status) return null
        const statuses = { recorded: payment.status, answered: outcome.status }
        failures.add('error', key, 'another outcome than the processor’s was recorded', statuses)
      } catch (error) {
        failures.add('error', key, 'the outcome of a payment was not recorded', { error: messageOf(error) })
      }
      return 'errors'
    }

    const date = wireDate(after(await clock.asked(), -olderThanSeconds))
    try {
      await eachAtOnce(
        pendingUntil(storage, date),
        concurrency,
        async found => {
          const count = await settle(found)
          if (count !== null) counts[count] += 1
        },
        signal,
      )
    } finally {
      failures.sumUp()
    }
    return counts
  }
}
