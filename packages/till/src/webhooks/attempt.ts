import {
  afterAttempt,
  type DeliveryAttempt,
  instant,
  pausedIfFailingSince,
  RETRY_DELAYS,
} from '@tillkit/domain'
import type { ClaimedDelivery, EndpointStore } from '@tillkit/storage'
import { messageOf } from '../error-message.ts'
import type { Logger, WebhookOptions } from '../options.ts'
import type { Events } from './events.ts'
import type { Send } from './send.ts'
import { webhookId } from './webhook-request.ts'
import type { WriteResult } from './write-result.ts'

/** How an attempt went; `unanswered` is a failure without a status; null when none was made. */
export type Outcome = 'delivered' | 'answered' | 'unanswered' | null

/** Makes one attempt of a claimed delivery and writes it down. Never throws. */
export type MakeAttempt = (delivery: ClaimedDelivery, leaseUntil: Date) => Promise<Outcome>

/** What an attempt needs around it. */
export interface AttemptParts {
  send: Send
  writeResult: WriteResult
  endpoints: Pick<EndpointStore, 'pause'>
  events: Pick<Events, 'emit'>
  clock: () => Date
  options: WebhookOptions
  logger: Logger
  random: () => number
  timeoutSeconds: number
}

/**
 * An attempt is made only if it can end before its lease: a process that stood still for a while leaves what it had
 * claimed to others. Its result is written with the lease's fencing number, so a late one changes nothing.
 */
export function createAttempts(parts: AttemptParts): MakeAttempt {
  const { send, writeResult, endpoints, events, clock, options, logger, random, timeoutSeconds } = parts
  const delays = options.retryDelays ?? RETRY_DELAYS

  const pauseIfFailingForLong = async ({ merchantId, failingSince }: ClaimedDelivery) => {
    const now = clock()
    const limit = pausedIfFailingSince(now)
    if (failingSince === null || failingSince > limit) return
    try {
      const pausedAt = instant(now)
      if (!(await endpoints.pause(merchantId, limit, pausedAt))) return
      logger.warn({ merchantId, failingSince }, 'webhook endpoint paused')
      events.emit('paused', { merchantId, failingSince, pausedAt })
    } catch (error) {
      logger.error({ merchantId, error: messageOf(error) }, 'webhook endpoint not paused')
    }
  }

  return async (delivery, leaseUntil) => {
    const { merchantId, paymentId, fence, webhookUrl } = delivery
    const at = clock()
    if (leaseUntil.getTime() - at.getTime() < timeoutSeconds * 1000) return null
    const number = delivery.attempts + 1
    const { attempt, retryAfter } = await send({ ...delivery, id: webhookId(delivery) }, at)
    const { status, error } = attempt
    const next =
      webhookUrl === null
        ? { state: 'exhausted' as const, nextAttemptAt: null }
        : afterAttempt({ number, at: clock(), status, error, retryAfter }, delays, random())
    log(logger, { merchantId, paymentId, attempt: number, status, ...next }, attempt)

    if (await writeResult({ merchantId, paymentId, fence, ...next, attempt }, leaseUntil)) {
      const event = { merchantId, paymentId, number, nextAttemptAt: next.nextAttemptAt, ...attempt }
      events.emit(error === null ? 'delivered' : 'attemptFailed', event)
      if (next.state === 'exhausted') events.emit('exhausted', event)
      if (error !== null && webhookUrl !== null) await pauseIfFailingForLong(delivery)
    }
    if (error === null) return 'delivered'
    return status === null ? 'unanswered' : 'answered'
  }
}

/** An answer is not logged: it is the receiver's, and may repeat what it was sent. */
function log(logger: Logger, fields: object, { error, milliseconds }: DeliveryAttempt): void {
  if (error === null) logger.debug({ ...fields, milliseconds }, 'webhook delivered')
  else logger.warn({ ...fields, milliseconds, error }, 'webhook failed')
}
