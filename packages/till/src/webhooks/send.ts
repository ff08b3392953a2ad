import { type DeliveryAttempt, instant, type Payment } from '@tillkit/domain'
import { messageOf } from '../error-message.ts'
import type { Logger } from '../options.ts'
import { failed, type Poster, type PostResult } from './post.ts'
import type { WebhookKeys } from './webhook-keys.ts'
import { webhookRequest } from './webhook-request.ts'

/** Where a webhook goes and what it says. */
export interface Webhook {
  merchantId: string
  webhookUrl: string | null
  /** Sealed; null where none was issued. */
  webhookKey: string | null
  /** What `webhook-id` says. */
  id: string
  payment: Payment
}

/** Signs a webhook, posts it once and says what came of it. Never throws. */
export type Send = (
  webhook: Webhook,
  at: Date,
) => Promise<{ attempt: DeliveryAttempt; retryAfter: number | null }>

/** Nothing is ever sent unsigned to a merchant that has a key. */
export function createSend(parts: {
  poster: Pick<Poster, 'post'>
  keys: Pick<WebhookKeys, 'open'>
  logger: Logger
  standardWebhooks: boolean
}): Send {
  const { poster, keys, logger, standardWebhooks } = parts

  const post = async (webhook: Webhook, at: Date): Promise<PostResult> => {
    const { merchantId, webhookUrl, webhookKey, id, payment } = webhook
    if (webhookUrl === null) return failed('merchant has no webhook URL')
    let request: ReturnType<typeof webhookRequest>
    try {
      const key = webhookKey === null ? null : keys.open(merchantId, webhookKey)
      request = webhookRequest({ payment, id, key, at, standardWebhooks })
    } catch (error) {
      logger.error({ merchantId, paymentId: payment.id, error: messageOf(error) }, 'webhook not signed')
      return failed('could not be signed')
    }
    return poster.post(webhookUrl, request)
  }

  return async (webhook, at) => {
    const began = performance.now()
    const { retryAfter, ...result } = await post(webhook, at)
    const milliseconds = Math.round(performance.now() - began)
    return { attempt: { at: instant(at), milliseconds, ...result }, retryAfter }
  }
}
