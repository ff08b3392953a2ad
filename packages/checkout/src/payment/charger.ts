import { setTimeout as sleep } from 'node:timers/promises'
import { TillError } from '@tillkit/domain'
import type { Logger, Payment, StartPayment, Till } from '@tillkit/till'
import type { ChargeContext, ChargeOutcome, PaymentProcessor } from './processor.ts'

/** Starts payments and charges each once. */
export interface Charger {
  /**
   * Starts the payment of an attempt and charges it, or finds the payment that the same `attemptKey` started before and
   * charges nothing. Answers with the payment once its outcome is known, or pending after `waitSeconds`. Strict mode may
   * refuse it before anything is charged: then it is `error`, and `failure` says why (specification 4.7).
   *
   * Throws `TillError` as `till.payments.start` does.
   */
  pay(
    attempt: StartPayment & { attemptKey: string },
    context: Omit<ChargeContext, 'signal'>,
  ): Promise<Payment>
  /** Resolves when no charge is in flight: for a host that stops. */
  idle(): Promise<void>
}

export interface ChargerOptions {
  /** For how long `pay` waits for the processor's answer: 3 seconds. The charge goes on after that. */
  waitSeconds?: number
  /** After how long a processor's answer is given up on: 60 seconds. */
  timeoutSeconds?: number
  /** Hears of outcomes that are unknown, and of those that could not be recorded. */
  logger?: Pick<Logger, 'warn' | 'error'>
}

/** Seconds before each further try to record an outcome: the money has moved, so a moment's fault must not lose it. */
const RECORD_DELAYS = [0.2, 1, 5]

/**
 * Who charges is whoever recorded the payment: `startOnce` tells exactly one caller so, in any number of processes. If
 * that one dies before it has charged, nobody does: the payment stays pending, which is the safe side.
 */
export function createCharger(
  till: Pick<Till, 'payments'>,
  processor: PaymentProcessor,
  { waitSeconds = 3, timeoutSeconds = 60, logger }: ChargerOptions = {},
): Charger {
  const inFlight = new Set<Promise<unknown>>()

  async function charge(payment: Payment, context: Omit<ChargeContext, 'signal'>): Promise<Payment> {
    const { merchantId, id } = payment
    const unknown = (fields: object) =>
      logger?.warn(
        { ...fields, merchantId, id },
        'the outcome of a charge is unknown: the payment stays pending',
      )
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), timeoutSeconds * 1000)
    const givenUp = new Promise<Payment>(resolve => {
      giveUp.signal.addEventListener('abort', () => {
        unknown({ timeoutSeconds })
        resolve(payment)
      })
    })
    const answered = ask(payment, { ...context, signal: giveUp.signal })
      .then(outcome => record(payment, outcome))
      .catch(error => {
        if (!giveUp.signal.aborted) unknown({ err: error })
        return payment
      })
      .finally(() => clearTimeout(timer))
    return Promise.race([answered, givenUp])
  }

  async function ask(payment: Payment, context: ChargeContext): Promise<ChargeOutcome> {
    const outcome = await processor.charge({ ...payment, extra: { ...payment.extra } }, context)
    if (['completed', 'error', 'pending'].includes(outcome?.status)) return outcome
    throw new TypeError('charge must answer with the status completed, error or pending')
  }

  async function record(payment: Payment, outcome: ChargeOutcome): Promise<Payment> {
    if (outcome.status === 'pending') return payment
    for (const delay of [...RECORD_DELAYS, null]) {
      try {
        if (outcome.status === 'completed') return await till.payments.complete(payment)
        return await till.payments.fail(payment, { failure: outcome.failure ?? null })
      } catch (error) {
        if (error instanceof TillError || delay === null) {
          const { merchantId, id } = payment
          logger?.error(
            { err: error, merchantId, id, outcome: outcome.status },
            'an outcome was not recorded',
          )
          return payment
        }
        await sleep(delay * 1000)
      }
    }
    return payment
  }

  function follow(work: Promise<Payment>): Promise<Payment> {
    inFlight.add(work)
    work.finally(() => inFlight.delete(work))
    return work
  }

  return {
    async pay(attempt, context) {
      const { payment, created } = await till.payments.startOnce(attempt)
      if (!created || payment.status !== 'pending') return payment
      const enough = new AbortController()
      const waited = sleep(waitSeconds * 1000, payment, { signal: enough.signal }).catch(() => payment)
      try {
        return await Promise.race([follow(charge(payment, context)), waited])
      } finally {
        enough.abort()
      }
    },

    async idle() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight)
    },
  }
}
