import { createServer } from 'node:http'
import { parseWebhook, verifyWebhook, type WebhookPayment } from '@tillkit/webhook-signer'

const largest = 256 * 1024

export function receiver(key: string, onPayment: (payment: WebhookPayment) => void | Promise<void>) {
  return createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of request) {
        size += chunk.length
        if (size > largest) return response.writeHead(413, { connection: 'close' }).end()
        chunks.push(chunk)
      }
      const rawBody = Buffer.concat(chunks)
      const { authorization } = request.headers
      if (!verifyWebhook({ rawBody, authorization, key })) return response.writeHead(401).end()
      await onPayment(parseWebhook(rawBody))
      response.writeHead(204).end()
    } catch (error) {
      console.error(error)
      if (!response.headersSent) response.writeHead(500).end()
    }
  })
}
