import { createServer, type IncomingMessage, type Server } from 'node:http'
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

  async function take(request: IncomingMessage): Promise<number> {
    const rawBody = await bodyOf(request)
    if (rawBody === null) return 413
    // While the provider changes the key both sign: whichever this shop has is the right one.
    const { authorization, 'webhook-signature-previous': previous } = request.headers
    if (!verifyWebhook({ rawBody, authorization, previous, key: webhookKey })) return 401
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
      response.statusCode = known ? await take(request) : 404
    } catch (error) {
      console.error(error)
      response.statusCode = 500 // the provider tries again
    }
    // What is left of a body that is too long is not waited for.
    if (response.statusCode === 413) response.setHeader('Connection', 'close')
    response.end()
  })
}

/** More than a webhook has: whoever sent it is known only once all of it was read. */
const MOST_BYTES = 262_144

/** The body; null for one that is too long. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length
    if (length > MOST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
