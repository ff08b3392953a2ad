import { type DeliveryAttempt, instant, type Payment, type Vocabulary } from '@tillkit/domain'
import type { PreviousWebhookKey } from '@tillkit/storage'
import { messageOf } from '../../error-message.ts'
import type { Logger } from '../../options.ts'
import { KeyNotOpened, type WebhookKeys } from '../webhook-keys.ts'
import { failed, type Poster, type PostResult } from './post.ts'
import { signedAsBefore, type WebhookRequest, webhookRequest } from './webhook-request.ts'
import { webhookWords } from './webhook-words.ts'

/** Where a webhook goes and what it says. */
interface Webhook {
  merchantId: string
  webhookUrl: string | null
  /** Sealed; null where none was issued. */
  webhookKey: string | null
  previousWebhookKey: PreviousWebhookKey | null
  /** What `webhook-id` says. */
  id: string
  payment: Payment
}

/** What came of a webhook. */
export interface Sent {
  attempt: DeliveryAttempt
  retryAfter: number | null
  /** Null where the endpoint was asked. */
  unsent: Unsent | null
}

/** Why nothing was sent. */
export interface Unsent {
  /** For the log; `reason` is what is shown. */
  detail: string
  reason: string
  /** Whether it may be otherwise at the next attempt, though nobody mends what is kept. */
  passing: boolean
}

/** Signs a webhook, posts it and says what came of it. Rejects as `Poster.post` does. */
export type Send = (webhook: Webhook, at: Date) => Promise<Sent>

/** Nothing is ever sent unsigned to a merchant that has a key. */
export function createSend(parts: {
  poster: Pick<Poster, 'post'>
  keys: Pick<WebhookKeys, 'open'>
  standardWebhooks: boolean
  vocabulary: Vocabulary | undefined
  timeoutSeconds: number
  logger: Pick<Logger, 'error'>
}): Send {
  const { poster, keys, standardWebhooks, timeoutSeconds, logger } = parts
  const words = webhookWords(parts.vocabulary)

  /** It is the new key that counts: without this one, whoever has the new one gets what is sent. */
  const previousKeyOf = ({ merchantId, previousWebhookKey: previous }: Webhook, at: Date): string | null => {
    if (previous === null || previous.until <= instant(at)) return null
    try {
      return keys.open(merchantId, previous.key)
    } catch (error) {
      logger.error({ merchantId, error: messageOf(error) }, 'previous webhook key left out')
      return null
    }
  }

  const signed = (webhook: Webhook, at: Date): WebhookRequest | Unsent => {
    const { merchantId, webhookKey, id, payment } = webhook
    try {
      const key = webhookKey === null ? null : keys.open(merchantId, webhookKey)
      const previousKey = key === null ? null : previousKeyOf(webhook, at)
      return webhookRequest({ payment, id, key, previousKey, at, standardWebhooks, words })
    } catch (error) {
      const { reason, passing } = error instanceof KeyNotOpened ? error : UNSIGNED
      return { detail: messageOf(error), reason, passing }
    }
  }

  /** Once, and once more for a receiver that refuses the new signature and may have the key before, in the time of one attempt. */
  const post = async (url: string, request: WebhookRequest): Promise<PostResult> => {
    const began = performance.now()
    const result = await poster.post(url, request)
    const again = isRefusal(result.status) ? signedAsBefore(request) : null
    const secondsLeft = timeoutSeconds - (performance.now() - began) / 1000
    return again && secondsLeft > timeoutSeconds / 3 ? poster.post(url, again, secondsLeft) : result
  }

  return async (webhook, at) => {
    const { webhookUrl } = webhook
    if (webhookUrl === null) return unsent(hopeless('merchant has no webhook URL'), at)
    if (!URL.canParse(webhookUrl)) return unsent(hopeless('webhook URL is not valid'), at)
    const request = signed(webhook, at)
    if ('reason' in request) return unsent(request, at)
    const began = performance.now()
    const { retryAfter, ...result } = await post(webhookUrl, request)
    const milliseconds = Math.round(performance.now() - began)
    return { attempt: { at: instant(at), milliseconds, ...result }, retryAfter, unsent: null }
  }
}

/** Of these the receiver did not mean the signature: it was late, wants no more, or no more for now. */
const OTHER_REFUSALS = [408, 410, 429]

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && !OTHER_REFUSALS.includes(status)
}

const UNSIGNED = { reason: 'could not be signed', passing: false }

/** What came of a webhook that was not sent. */
export function unsent(why: Unsent, at: Date): Sent {
  const { retryAfter, ...result }: PostResult = failed(why.reason)
  return { attempt: { at: instant(at), milliseconds: 0, ...result }, retryAfter, unsent: why }
}

/** It stays unsent until somebody mends what is kept. */
export function hopeless(reason: string): Unsent {
  return { detail: reason, reason, passing: false }
}
