import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { request as requestSecurely, Agent as SecureAgent } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Certificate } from './adapter.ts'

interface Sent {
  method?: string
  /** As it is written on the wire. */
  target?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

interface Received {
  status: number
  headers: IncomingHttpHeaders
  body: Uint8Array
  text: string
  /** Whether it came over a connection that an earlier request had used. */
  reused: boolean
}

/** A client of one server. It keeps one connection alive, and sends one request at a time over it. */
export interface Client {
  send(sent: Sent): Promise<Received>
  /** A plain connection to the server. */
  dial(): Socket
  close(): void
}

export function clientOf(port: number, tls?: Certificate): Client {
  const pool = { keepAlive: true, maxSockets: 1 }
  const agent = tls ? new SecureAgent({ ...pool, ca: tls.cert, servername: 'localhost' }) : new Agent(pool)
  return {
    send: ({ method = 'GET', target = '/', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, agent, method, path: target, headers }
        const sent = (tls ? requestSecurely : request)(options)
        sent.on('error', reject)
        sent.on('response', response => {
          const pieces: Uint8Array[] = []
          response.on('data', piece => pieces.push(piece))
          response.on('error', reject)
          // An answer can be complete before its request is; the connection is free when both are.
          sent.on('close', () => {
            if (response.complete) resolve(received(response, pieces, sent.reusedSocket))
            else reject(new Error('the connection ended in the middle of the answer'))
          })
        })
        sent.end(body)
      }),
    dial: () => connect(port, '127.0.0.1'),
    close: () => agent.destroy(),
  }
}

function received(response: IncomingMessage, pieces: Uint8Array[], reused: boolean): Received {
  const body = Buffer.concat(pieces)
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: new Uint8Array(body), text: body.toString(), reused }
}
