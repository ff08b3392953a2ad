import { afterAttempt, type DeliveryKey, RETRY_DELAYS } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryResult, DeliveryStore, EndpointStore } from '@tillkit/storage'
import { traced } from '@tillkit/storage/channels'
import { type AttemptMessage, attemptChannel } from '../../channels/attempt.ts'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../error-message.ts'
import type { Logger, WebhookOptions } from '../../options.ts'
import type { Events } from '../events.ts'
import { hopeless, type Send, type Sent, type Unsent, unsent } from '../wire/send.ts'
import { webhookId } from '../wire/webhook-request.ts'
import { createPause } from './pause.ts'
import type { Results } from './results.ts'

/**
 * How an attempt went: `answered` and `unanswered` are failures with a status and without, `unasked` is one before anything
 * was sent; `late` where the receiver took long to say it. Null when none was made.
 */
export type Outcome =
  | 'delivered'
  | 'delivered late'
  | 'answered'
  | 'answered late'
  | 'unanswered'
  | 'unasked'
  | null

/** A receiver that takes longer than this holds the places of others that do not. */
const LATE_MILLISECONDS = 2000

/** Makes one attempt of a claimed delivery and writes it down. Never throws. */
export type MakeAttempt = (delivery: ClaimedDelivery, leaseUntil: Date) => Promise<Outcome>

/** What an attempt needs around it. */
export interface AttemptParts {
  name?: string
  send: Send
  results: Results
  endpoints: Pick<EndpointStore, 'pause'>
  deliveries: Pick<DeliveryStore, 'attempts'>
  events: Pick<Events, 'emit'>
  now: Clock['now']
  options: WebhookOptions
  logger: Logger
  random: () => number
  timeoutSeconds: number
}

/**
 * An attempt is made only if it can end before its lease: a process that stood still for a while leaves what it had
 * claimed to others. Its result is written with the lease's fencing number, so a late one changes nothing. A delivery that
 * cannot be sent as it is kept is set aside, `exhausted` with the reason, and its endpoint is not blamed for it.
 */
export function createAttempts(parts: AttemptParts): MakeAttempt {
  const { name: till = 'live', send, results, events, now, options, logger, random, timeoutSeconds } = parts
  const delays = options.retryDelays ?? RETRY_DELAYS

  const pauseIfFailingForLong = createPause(parts)

  const write = async (result: DeliveryResult, delivery: ClaimedDelivery, leaseUntil: Date) => {
    const { merchantId, paymentId, attempt, state, nextAttemptAt, asked } = result
    if (!(await results.write(result, leaseUntil))) return
    const event = { merchantId, paymentId, number: delivery.attempts + 1, nextAttemptAt, ...attempt }
    events.emit(attempt.error === null ? 'delivered' : 'attemptFailed', event)
    if (state === 'exhausted') events.emit('exhausted', event)
    if (attempt.error !== null && asked) await pauseIfFailingForLong(delivery, state)
  }

  const attemptNow = async (delivery: ClaimedDelivery, leaseUntil: Date): Promise<Outcome> => {
    const { merchantId, paymentId } = delivery
    const at = await now()
    if (leaseUntil.getTime() - at.getTime() < timeoutSeconds * 1000) return null
    const known = results.unwritten(delivery)
    if (known) {
      await write(known, delivery, leaseUntil)
      return null
    }
    if (!attemptChannel.hasSubscribers) return outcomeOf(await make(delivery, leaseUntil, at))
    const { traceparent = null } = delivery
    const message: AttemptMessage = {
      till,
      merchantId,
      paymentId,
      number: delivery.attempts + 1,
      traceparent,
    }
    let sent: Sent | null = null
    await traced(attemptChannel, message, async () => {
      sent = await make(delivery, leaseUntil, at, message)
      return answerOf(sent)
    })
    return sent && outcomeOf(sent)
  }

  const make = async (
    delivery: ClaimedDelivery,
    leaseUntil: Date,
    at: Date,
    message?: AttemptMessage,
  ): Promise<Sent> => {
    const { merchantId, paymentId, fence } = delivery
    const number = delivery.attempts + 1
    const sent =
      delivery.payment === null
        ? unsent(hopeless(delivery.fault), at)
        : await send({ ...delivery, id: webhookId(delivery) }, at)
    const { status, error } = sent.attempt
    // What ends well is never due again, whatever the time is.
    const ended = error === null ? at : await now()
    const next =
      sent.unsent?.passing === false
        ? { state: 'exhausted' as const, nextAttemptAt: null }
        : afterAttempt({ number, at: ended, status, error, retryAfter: sent.retryAfter }, delays, random())
    log(logger, { merchantId, paymentId, attempt: number, ...next }, sent)
    const asked = sent.unsent === null
    if (message) {
      message.attempt = sent.attempt
      message.state = next.state
    }
    await write({ merchantId, paymentId, fence, ...next, attempt: sent.attempt, asked }, delivery, leaseUntil)
    return sent
  }

  return (delivery, leaseUntil) =>
    attemptNow(delivery, leaseUntil).catch(error => {
      const { merchantId, paymentId } = delivery
      logger.error({ merchantId, paymentId, error: messageOf(error) }, 'webhook attempt broke off')
      return null
    })
}

function outcomeOf(sent: Sent): Outcome {
  const answer = answerOf(sent)
  const isLate = sent.attempt.milliseconds > LATE_MILLISECONDS
  return isLate && (answer === 'delivered' || answer === 'answered') ? `${answer} late` : answer
}

/** The word of it that a listener is told: when it came is in its attempt. */
function answerOf({ attempt: { error, status }, unsent }: Sent) {
  if (unsent !== null) return 'unasked'
  if (error !== null && status === null) return 'unanswered'
  return error === null ? 'delivered' : 'answered'
}

/** An answer is not logged: it is the receiver's, and may repeat what it was sent. */
function log(
  logger: Logger,
  fields: DeliveryKey & { attempt: number; state: string },
  { attempt, unsent }: Sent,
): void {
  const { error, milliseconds, status } = attempt
  if (error === null) logger.debug({ ...fields, status, milliseconds }, 'webhook delivered')
  else if (unsent === null) logger.warn({ ...fields, status, milliseconds, error }, 'webhook failed')
  else logger.error({ ...fields, error: unsent.detail }, titleOf(unsent, fields.state))
}

function titleOf({ passing }: Unsent, state: string): string {
  return passing && state === 'pending' ? 'webhook not sent' : 'webhook set aside'
}
