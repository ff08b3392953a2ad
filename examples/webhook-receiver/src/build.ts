import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { type FetchedPayment, fetchPayment, type Provider } from './fetch-payment.ts'

export interface ReceiverOptions extends Provider {
  /** The webhook authentication key that the provider issued. */
  webhookKey: string
  /** Ships the goods. Called once a payment, with what the provider's API says of it. */
  onPaid(payment: FetchedPayment): Promise<void> | void
}

/** A merchant's server: `POST /webhooks/payments` is told of payments, and believes only what the API says. */
export function buildReceiver({ webhookKey, onPaid, ...provider }: ReceiverOptions): Server {
  const shipped = new Set<number>()

  async function take(rawBody: Uint8Array, authorization: string | undefined): Promise<number> {
    if (!verifyWebhook({ rawBody, authorization, key: webhookKey })) return 401
    // The signature says who wrote this, not when: anyone who saw it can send it again, so the API has the last word.
    const payment = await fetchPayment(provider, parseWebhook(rawBody).id)
    if (payment?.status !== 'completed' || shipped.has(payment.id)) return 204
    shipped.add(payment.id) // a shop keeps this in the order's own row
    try {
      await onPaid(payment)
    } catch (error) {
      shipped.delete(payment.id)
      throw error
    }
    return 204
  }

  return createServer(async (request, response) => {
    const known = request.method === 'POST' && request.url === '/webhooks/payments'
    try {
      const { authorization } = request.headers
      response.statusCode = known ? await take(await buffer(request), authorization) : 404
    } catch (error) {
      console.error(error)
      response.statusCode = 500 // the provider tries again
    }
    response.end()
  })
}
