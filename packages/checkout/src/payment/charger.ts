import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpsOption } from '@tillkit/http'
import {
  type Logger,
  loggerFor,
  type Payment,
  type StartedPayment,
  type StartPayment,
  type Till,
} from '@tillkit/till'
import { createAsk } from '../standing/ask.ts'
import { createEnquiries } from '../standing/enquiries.ts'
import { createStandings, type Standing } from '../standing/standings.ts'
import { Closed } from './closed.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { isKnown, isStep, readAnswer } from './outcome.ts'
import { nameOf } from './payment-name.ts'
import type { ChargeContext, KnownOutcome, OnUnrecorded, PaymentProcessor } from './processor.ts'
import { createRecorder } from './recorder.ts'

/** Starts payments and charges each once. */
export interface Charger {
  /**
   * Starts the payment of an attempt and charges it, or finds the payment that the same `attemptKey` started before and
   * charges nothing. Answers with the payment once its outcome is known, or pending after `waitSeconds`. Strict mode may
   * refuse it before anything is charged: then it is `error`, and `failure` says why (API 4.7).
   *
   * Throws as `till.payments.start` does; then nothing was charged.
   */
  pay(attempt: Attempt, context: PayContext): Promise<Payment>
  /** `pay` that also says whether this call started the payment, as exactly one does. */
  payOnce(attempt: Attempt, context: PayContext): Promise<StartedPayment>
  /**
   * How a payment stands: with the step that its customer has to take elsewhere, and its outcome where `lookup` has one, which is
   * recorded. For whoever shows a payment that was found: `lookup` is asked about one that is pending or failed as `stale`, at most once
   * a second for a payment, and waited for as `pay` waits. Never rejects for what the processor does.
   */
  standing(payment: Payment): Promise<Standing>
  /** Resolves when no charge is in flight, and no payment to be charged is being started. */
  idle(): Promise<void>
  /**
   * For a host that stops: resolves when no charge is in flight and no outcome unrecorded, or `recordSeconds` later, when
   * `onUnrecorded` and the log have what is left. What is to be paid from then on throws, and starts no payment.
   */
  close(): Promise<void>
}

/** What a processor is told of a press, without what the charger itself adds. */
export type PayContext = Omit<ChargeContext, 'signal' | 'idempotencyKey'>

/** What is started, under a name of its own. */
interface Attempt extends StartPayment {
  /** Names this attempt within the merchant, so that it is charged once: text of 1 to 255 characters. */
  attemptKey: string
}

/** What `createCharger` takes beside the till and the processor. */
export interface ChargerOptions {
  /** For how long `pay` waits for the processor's answer: 3 seconds. The charge goes on after that. */
  waitSeconds?: number | undefined
  /** After how long a processor's answer is given up on: 60 seconds. */
  timeoutSeconds?: number | undefined
  /** For how long an outcome is tried to be recorded before the host is handed it: 10 seconds. */
  recordSeconds?: number | undefined
  /**
   * Is handed each outcome that was not recorded in that time, and each that could not be because another is recorded: the
   * processor has answered, and the database does not say so. Called once for an outcome; recording it goes on, in memory.
   */
  onUnrecorded?: OnUnrecorded | undefined
  /** `off` lets a processor send customers to plain http on this machine as well: for local work. `required` when left out. */
  https?: HttpsOption | undefined
  /** Hears of outcomes that are unknown, and of those that could not be recorded: the till's own when left out. */
  logger?: Pick<Logger, 'warn' | 'error'> | false | undefined
}

/**
 * Who charges is whoever recorded the payment: `startOnce` tells exactly one caller so, in any number of processes. If
 * that one dies before it has charged, nobody does: the payment stays pending, which is the safe side.
 */
export function createCharger(
  till: Pick<Till, 'payments'> & Partial<Pick<Till, 'logger'>>,
  processor: PaymentProcessor,
  {
    waitSeconds = 3,
    timeoutSeconds = 60,
    recordSeconds = 10,
    onUnrecorded,
    https = 'required',
    logger: given,
  }: ChargerOptions = {},
): Charger {
  const logger = loggerFor(given, till)
  const recorder = createRecorder(till.payments, { recordSeconds, onUnrecorded, logger })
  const asking = createAsk(processor, { timeoutSeconds, https, logger })
  const starting = new Set<Promise<unknown>>()
  const inFlight = new Map<string, Promise<unknown>>()
  let closed = false
  const standings = createStandings(asking, {
    waitSeconds,
    isCharging: payment => inFlight.has(nameOf(payment)),
    record: recordAsked,
  })
  const enquiries = createEnquiries(asking, recorder.record, standings.hear)

  async function charge(payment: Payment, context: PayContext): Promise<Payment> {
    const startedAt = performance.now()
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), timeoutSeconds * 1000)
    const givenUp = new Promise<Payment>(resolve => {
      giveUp.signal.addEventListener('abort', () => {
        unknown(payment, { timeoutSeconds })
        resolve(payment)
      })
    })
    const named = { ...context, idempotencyKey: idempotencyKey(payment), signal: giveUp.signal }
    const answered = ask(payment, named, startedAt, () => clearTimeout(timer))
      .catch(error => {
        if (!giveUp.signal.aborted) unknown(payment, { err: error })
        return payment
      })
      .finally(() => clearTimeout(timer))
    return Promise.race([answered, givenUp])
  }

  async function ask(
    payment: Payment,
    context: ChargeContext,
    startedAt: number,
    onAnswer: () => void,
  ): Promise<Payment> {
    const given = await processor.charge({ ...payment, extra: { ...payment.extra } }, context)
    onAnswer() // what it takes to record it is not the processor's
    const answer = readAnswer(given, https)
    if (isKnown(answer)) {
      const recorded = await recordAsked(payment, answer, startedAt)
      if (answer.status === 'completed' && recorded.status !== 'completed') standings.paid(payment)
      return recorded
    }
    if (isStep(answer) || answer?.status === 'pending') {
      standings.charged(payment, answer)
      return payment
    }
    throw new TypeError('charge must answer with the status completed, error, pending, redirect or action')
  }

  function recordAsked(payment: Payment, outcome: KnownOutcome, knownAt?: number): Promise<Payment> {
    enquiries.end(payment)
    return recorder.record(payment, outcome, knownAt)
  }

  function unknown(payment: Payment, fields: object): void {
    const { merchantId, id } = payment
    logger.warn(
      { ...fields, merchantId, id },
      'the outcome of a charge is unknown: the payment stays pending',
    )
    enquiries.begin(payment)
  }

  function follow(payment: Payment, work: Promise<Payment>): Promise<Payment> {
    inFlight.set(nameOf(payment), work)
    work.finally(() => inFlight.delete(nameOf(payment)))
    return work
  }

  /** The charge of the payment that this call starts, in flight by the time that it is known. */
  async function begin(attempt: Attempt, context: PayContext) {
    const started = await till.payments.startOnce(attempt)
    const { payment, created } = started
    if (!created || payment.status !== 'pending') return { started }
    return { started, charging: follow(payment, charge(payment, context)) }
  }

  async function payOnce(attempt: Attempt, context: PayContext) {
    if (closed) throw new Closed()
    const beginning = begin(attempt, context)
    starting.add(beginning)
    const { started, charging } = await beginning.finally(() => starting.delete(beginning))
    if (!charging) return started
    const { payment, created } = started
    const enough = new AbortController()
    const waited = sleep(waitSeconds * 1000, payment, { signal: enough.signal }).catch(() => payment)
    try {
      return { payment: await Promise.race([charging, waited]), created }
    } finally {
      enough.abort()
    }
  }

  async function idle(): Promise<void> {
    while (starting.size + inFlight.size > 0) await Promise.allSettled([...starting, ...inFlight.values()])
  }

  return {
    payOnce,
    pay: async (attempt, context) => (await payOnce(attempt, context)).payment,
    standing: standings.of,
    idle,
    async close() {
      closed = true
      await idle()
      enquiries.close()
      standings.close()
      await recorder.close()
    },
  }
}
