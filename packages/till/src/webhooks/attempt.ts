import { afterAttempt, instant, RETRY_DELAYS } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryResult, DeliveryStore } from '@tillkit/storage'
import type { Logger, WebhookOptions } from '../options.ts'
import type { Poster, PostResult } from './post.ts'
import type { WebhookKeys } from './webhook-keys.ts'
import { webhookRequest } from './webhook-request.ts'

/** How an attempt went; `unanswered` is a failure without a status; null when none was made. */
export type Outcome = 'delivered' | 'answered' | 'unanswered' | null

/** Makes one attempt of a claimed delivery and writes it down. Never throws. */
export type MakeAttempt = (delivery: ClaimedDelivery, leaseUntil: Date) => Promise<Outcome>

const RECORD_TRIES = 8
const FIRST_PAUSE_MILLISECONDS = 100

/** What an attempt needs around it. */
export interface AttemptParts {
  deliveries: Pick<DeliveryStore, 'record'>
  clock: () => Date
  options: WebhookOptions
  keys: Pick<WebhookKeys, 'open'>
  logger: Logger
  random: () => number
  poster: Poster
  timeoutSeconds: number
}

/**
 * An attempt is made only if it can end well before its lease: a process that stood still for a while leaves what it had
 * claimed to others. Its result is written with the lease's fencing number, so a late one changes nothing.
 */
export function createAttempts(parts: AttemptParts): MakeAttempt {
  const { deliveries, clock, options, keys, logger, random, poster, timeoutSeconds } = parts
  const delays = options.retryDelays ?? RETRY_DELAYS

  const post = async (delivery: ClaimedDelivery, at: Date): Promise<PostResult> => {
    const { merchantId, webhookKey, webhookUrl, payment } = delivery
    if (webhookUrl === null) return failed('merchant has no webhook URL')
    let request: ReturnType<typeof webhookRequest>
    try {
      request = webhookRequest(payment, webhookKey === null ? null : keys.open(merchantId, webhookKey), at)
    } catch (error) {
      logger.error(
        { merchantId, paymentId: delivery.paymentId, error: messageOf(error) },
        'webhook not signed',
      )
      return failed('could not be signed')
    }
    return poster.post(webhookUrl, request)
  }

  const record = async (result: DeliveryResult, leaseUntil: Date): Promise<void> => {
    const { merchantId, paymentId } = result
    for (let tries = 1; ; tries++) {
      try {
        const written = await deliveries.record(result)
        if (!written)
          logger.warn({ merchantId, paymentId }, 'webhook taken over before its result was written')
        return
      } catch (error) {
        logger.error({ merchantId, paymentId, error: messageOf(error) }, 'webhook result not written')
        if (tries === RECORD_TRIES || clock() >= leaseUntil) return
        await pause(FIRST_PAUSE_MILLISECONDS * 2 ** (tries - 1))
      }
    }
  }

  return async (delivery, leaseUntil) => {
    const { merchantId, paymentId, fence } = delivery
    const at = clock()
    if (leaseUntil.getTime() - at.getTime() < timeoutSeconds * 1000) return null
    const number = delivery.attempts + 1
    const { status, error, retryAfter } = await post(delivery, at)
    const next =
      delivery.webhookUrl === null
        ? { state: 'exhausted' as const, nextAttemptAt: null }
        : afterAttempt({ number, at: clock(), status, error, retryAfter }, delays, random())
    const fields = { merchantId, paymentId, attempt: number, status, ...next }
    if (error === null) logger.debug(fields, 'webhook delivered')
    else logger.warn({ ...fields, error }, 'webhook failed')
    await record(
      {
        merchantId,
        paymentId,
        fence,
        ...next,
        lastAttemptAt: instant(at),
        lastStatus: status,
        lastError: error,
      },
      leaseUntil,
    )
    if (error === null) return 'delivered'
    return status === null ? 'unanswered' : 'answered'
  }
}

function failed(error: string): PostResult {
  return { status: null, error, retryAfter: null }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
