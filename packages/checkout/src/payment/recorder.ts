import { setTimeout as sleep } from 'node:timers/promises'
import { isSamePayment, TillError } from '@tillkit/domain'
import type { Logger, Payment, Till } from '@tillkit/till'
import { nameOf } from './payment-name.ts'
import type { KnownOutcome, OnUnrecorded } from './processor.ts'

/** Records outcomes, and keeps those that cannot be recorded now: the money has moved, so none may be forgotten. */
export interface Recorder {
  /**
   * Resolves with the payment once its outcome is recorded; or as it was, where that could not be done within
   * `recordSeconds`: then the outcome is with `onUnrecorded` and the log, and recording it goes on. One of a payment whose id
   * another has by now is with them too, and is not recorded. Never rejects.
   *
   * @param knownAt When the payment was read, by `performance.now()`; left out it is long ago.
   */
  record(payment: Payment, outcome: KnownOutcome, knownAt?: number): Promise<Payment>
  /** Waits `recordSeconds` at most for what is unrecorded; what is left then is with `onUnrecorded` and the log. */
  close(): Promise<void>
}

export interface RecorderOptions {
  recordSeconds: number
  onUnrecorded: OnUnrecorded | undefined
  logger: Logger
}

/** One outcome on its way into the database. */
interface Unrecorded {
  payment: Payment
  outcome: KnownOutcome
  /** When the payment was read. */
  knownAt: number
  /** What `record` resolves with, whoever says the outcome. */
  recorded: Promise<Payment>
  /** What the last try ran into. */
  error: unknown
  /** The host has it. */
  handedOver: boolean
  /** Nobody waits for it any longer. */
  settle(payment: Payment): void
}

/** Seconds between tries: for an outcome of its own first, then for all that are left together. */
const FIRST_PAUSES = [0.2, 1, 2, 4]
const LONGEST_PAUSE = 30

/** For how long a payment that was read is looked at no more: no database goes back and on within it. */
const SURE_MS = 5_000

/** Of more the memory of the process is the limit: they go to the host and the log at once. */
const MOST_KEPT = 10_000

export function createRecorder(
  payments: Till['payments'],
  { recordSeconds, onUnrecorded, logger }: RecorderOptions,
): Recorder {
  /** All that is unrecorded. What its processor says once more is no other outcome. */
  const kept = new Map<string, Unrecorded>()
  /** Those whose first tries have failed, the next to be tried first. */
  const waiting = new Set<Unrecorded>()
  let draining = false
  let ended = false
  const enough = new AbortController()

  /** False where it is to be tried again. */
  async function attempt(entry: Unrecorded): Promise<boolean> {
    try {
      const recorded = await say(entry)
      kept.delete(outcomeOf(entry))
      entry.settle(recorded)
      if (entry.handedOver) logger.warn(factsOf(entry), 'an outcome was recorded after all')
      return true
    } catch (error) {
      entry.error = error
      if (!(error instanceof TillError)) return false
      kept.delete(outcomeOf(entry)) // another outcome won, or the payment is gone: no further try can change that
      handOver(entry)
      entry.settle(entry.payment)
      return true
    }
  }

  async function say({ payment, outcome, knownAt, error }: Unrecorded): Promise<Payment> {
    if (error !== null || performance.now() - knownAt > SURE_MS) {
      const now = await payments.get(payment.merchantId, payment.id)
      if (now && !isSamePayment(payment, now)) throw another(payment)
    }
    const recorded = await (outcome.status === 'completed'
      ? payments.complete(payment)
      : payments.fail(payment, { failure: outcome.failure ?? null }))
    if (!isSamePayment(payment, recorded))
      throw another(payment, `, and ${outcome.status} was answered for it`)
    return recorded
  }

  /** Once for each outcome. */
  function handOver(entry: Unrecorded): void {
    if (entry.handedOver) return
    entry.handedOver = true
    const err = entry.error ?? new Error('the database has not answered')
    logger.error({ err, ...factsOf(entry) }, 'an outcome was not recorded')
    const { payment, outcome } = entry
    tell({ ...payment }, { ...outcome }).catch(error =>
      logger.error({ err: error, ...factsOf(entry) }, 'onUnrecorded failed'),
    )
  }

  async function tell(payment: Payment, outcome: KnownOutcome): Promise<void> {
    await onUnrecorded?.(payment, outcome)
  }

  async function begin(entry: Unrecorded): Promise<void> {
    for (const pause of FIRST_PAUSES) {
      if (ended || (await attempt(entry))) return
      await rest(pause)
    }
    waiting.add(entry)
    await drain()
  }

  /** One after another, so that a database that comes back is not met by thousands at once. */
  async function drain(): Promise<void> {
    if (draining) return
    draining = true
    let pause = FIRST_PAUSES.at(-1) ?? 1
    for (const entry of waiting) {
      if (ended) break
      waiting.delete(entry)
      if (await attempt(entry)) pause = 0
      else {
        waiting.add(entry) // behind the others: one that never can be recorded holds up none of them
        pause = Math.min(2 * pause + 1, LONGEST_PAUSE)
        await rest(pause)
      }
    }
    draining = false
  }

  /** For one that there is no room for. */
  async function only(entry: Unrecorded): Promise<void> {
    if (await attempt(entry)) return
    handOver(entry)
    logger.error(factsOf(entry), 'an outcome is not kept for another try')
    entry.settle(entry.payment)
  }

  /** Shorter where somebody waits for the end. */
  async function rest(seconds: number): Promise<void> {
    await sleep(seconds * 1000, undefined, { signal: enough.signal }).catch(() => sleep(100))
  }

  return {
    record(payment, outcome, knownAt = Number.NEGATIVE_INFINITY) {
      const known = kept.get(outcomeOf({ payment, outcome }))
      if (known) return known.recorded
      const { promise: recorded, resolve: settle } = Promise.withResolvers<Payment>()
      const entry = { payment, outcome, knownAt, recorded, error: null, handedOver: false, settle }
      if (ended || kept.size >= MOST_KEPT) void only(entry)
      else {
        kept.set(outcomeOf(entry), entry)
        const late = setTimeout(() => {
          handOver(entry)
          settle(payment)
        }, recordSeconds * 1000)
        void recorded.then(() => clearTimeout(late))
        void begin(entry)
      }
      return recorded
    },

    async close() {
      enough.abort()
      const end = performance.now() + recordSeconds * 1000
      while (kept.size > 0 && performance.now() < end) await sleep(50)
      ended = true
      for (const entry of kept.values()) {
        handOver(entry)
        entry.settle(entry.payment)
        logger.error(factsOf(entry), 'an outcome was still unrecorded at the end')
      }
      kept.clear()
    },
  }
}

function outcomeOf({ payment, outcome }: Pick<Unrecorded, 'payment' | 'outcome'>): string {
  return `${nameOf(payment)} ${outcome.status}`
}

function another({ merchantId, id }: Payment, more = ''): TillError {
  return new TillError('conflict', `payment ${id} of merchant ${merchantId} is another one by now${more}`)
}

function factsOf({ payment: { merchantId, id }, outcome }: Unrecorded): object {
  return { merchantId, id, outcome: outcome.status }
}
