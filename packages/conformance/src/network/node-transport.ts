import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http'
import { Agent as HttpsAgent, request as requestSecurely } from 'node:https'
import { NoAnswer, type Received, type Transport } from './question.ts'
import { rawHead } from './raw-head.ts'
import type { Tls } from './tls.ts'

const LARGEST_BODY = 32 * 1024 * 1024

/** What the transport over Node's own client is made with. */
export interface NodeTransportOptions {
  timeoutSeconds: number
  tls: Tls
}

/** Sends over connections that are kept, and shows every header as it came. */
export function nodeTransport({ timeoutSeconds, tls }: NodeTransportOptions): Transport & { close(): void } {
  const plain = new HttpAgent({ keepAlive: true, maxSockets: 8 })
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: 8, ...tls })

  const send: Transport = message => {
    if (message.method === 'HEAD') return rawHead(message, { timeoutSeconds, tls })
    return new Promise<Received>((resolve, reject) => {
      const { method, url, headers, body } = message
      const { protocol, hostname, port, host } = new URL(url)
      const isSecure = protocol === 'https:'
      const path = url.slice(url.indexOf('/', `${protocol}//`.length))
      const fail = (error: Error) => {
        clearTimeout(limit)
        reject(
          error instanceof NoAnswer ? error : new NoAnswer(error.message || String(error), { cause: error }),
        )
      }
      const sent = (isSecure ? requestSecurely : request)({
        method,
        path,
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        agent: isSecure ? secure : plain,
        headers: {
          host,
          ...headers,
          ...(method === 'POST' && { 'content-length': Buffer.byteLength(body ?? '') }),
        },
      })
      const limit = setTimeout(
        () => sent.destroy(new NoAnswer(`no answer within ${timeoutSeconds} s`)),
        timeoutSeconds * 1000,
      )
      sent.once('error', fail)
      sent.once('upgrade', (_, socket) => {
        socket.destroy()
        fail(new NoAnswer('the answer is 101, a switch to another protocol'))
      })
      sent.once('response', response => {
        collect(response).then(received => {
          clearTimeout(limit)
          resolve(received)
        }, fail)
      })
      sent.end(body)
    })
  }
  const close = () => {
    plain.destroy()
    secure.destroy()
  }
  return Object.assign(send, { close })
}

async function collect(response: IncomingMessage): Promise<Received> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response) {
    length += piece.length
    if (length > LARGEST_BODY) {
      response.destroy()
      throw new NoAnswer('the body of the answer is larger than 32 MiB')
    }
    pieces.push(piece)
  }
  const headers = new Map<string, string[]>()
  for (let i = 0; i < response.rawHeaders.length; i += 2) {
    const name = (response.rawHeaders[i] as string).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), response.rawHeaders[i + 1] as string])
  }
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(pieces) }
}
