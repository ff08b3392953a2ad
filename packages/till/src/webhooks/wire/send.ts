import { type DeliveryAttempt, instant, type Payment } from '@tillkit/domain'
import { messageOf } from '../../error-message.ts'
import { KeyNotOpened, type WebhookKeys } from '../webhook-keys.ts'
import { failed, type Poster, type PostResult } from './post.ts'
import { type WebhookRequest, webhookRequest } from './webhook-request.ts'

/** Where a webhook goes and what it says. */
interface Webhook {
  merchantId: string
  webhookUrl: string | null
  /** Sealed; null where none was issued. */
  webhookKey: string | null
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

/** Signs a webhook, posts it once and says what came of it. Rejects as `Poster.post` does. */
export type Send = (webhook: Webhook, at: Date) => Promise<Sent>

/** Nothing is ever sent unsigned to a merchant that has a key. */
export function createSend(parts: {
  poster: Pick<Poster, 'post'>
  keys: Pick<WebhookKeys, 'open'>
  standardWebhooks: boolean
}): Send {
  const { poster, keys, standardWebhooks } = parts

  const signed = ({ merchantId, webhookKey, id, payment }: Webhook, at: Date): WebhookRequest | Unsent => {
    try {
      const key = webhookKey === null ? null : keys.open(merchantId, webhookKey)
      return webhookRequest({ payment, id, key, at, standardWebhooks })
    } catch (error) {
      const { reason, passing } = error instanceof KeyNotOpened ? error : UNSIGNED
      return { detail: messageOf(error), reason, passing }
    }
  }

  return async (webhook, at) => {
    const { webhookUrl } = webhook
    if (webhookUrl === null) return unsent(hopeless('merchant has no webhook URL'), at)
    if (!URL.canParse(webhookUrl)) return unsent(hopeless('webhook URL is not valid'), at)
    const request = signed(webhook, at)
    if ('reason' in request) return unsent(request, at)
    const began = performance.now()
    const { retryAfter, ...result } = await poster.post(webhookUrl, request)
    const milliseconds = Math.round(performance.now() - began)
    return { attempt: { at: instant(at), milliseconds, ...result }, retryAfter, unsent: null }
  }
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
