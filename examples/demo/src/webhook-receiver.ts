import type { HttpHandler } from '@tillkit/http'
import { parseWebhook, verifyWebhook, type WebhookPayment } from '@tillkit/webhook-signer'

/**
 * A merchant's endpoint, `POST /{merchantId}`: takes a webhook only when its signature is right, as any merchant should
 * (API 6.5).
 */
export function webhookReceiver(
  keyOf: (merchantId: string) => string | undefined,
  received: (merchantId: string, payment: WebhookPayment) => void,
): HttpHandler {
  return async request => {
    const merchantId = request.path.slice(1)
    const key = keyOf(merchantId)
    if (key === undefined || request.method !== 'POST') return answer(404)
    const rawBody = await request.body()
    const { authorization } = request.headers
    if (!verifyWebhook({ rawBody, authorization, key })) return answer(401)
    received(merchantId, parseWebhook(rawBody))
    return answer(204)
  }
}

const answer = (status: number) => ({ status, headers: {}, body: null })
