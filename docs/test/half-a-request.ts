import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { onTestFinished } from 'vitest'

const HEAD = 'Host: localhost\r\n'
const PAYMENTS = `GET /v1/payments HTTP/1.1\r\n${HEAD}`

/** The first part of a request, and the rest of it, where it is not the API that answers. */
const REQUESTS: Record<string, [first: string, rest: string]> = {
  'custom-host': [`GET /qr/counter HTTP/1.1\r\n${HEAD}`, '\r\n'],
  // What Fastify has not begun to answer when it is closed is refused.
  fastify: [posted('/processor/payments/nobody/x', 'application/json'), '{"approved":1}'],
  'webhook-receiver': [posted('/webhooks/payments', 'application/x-www-form-urlencoded'), 'payload=123456'],
}

function posted(path: string, type: string): string {
  return `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: ${type}\r\nContent-Length: 14\r\n\r\n`
}

/** A request to an example, of which the server has the first part. */
export async function halfARequest(name: string, port: number) {
  const [first, rest] = REQUESTS[name] ?? [PAYMENTS, '\r\n']
  const socket = await dial(name, port)
  let got = ''
  socket.setEncoding('utf8').on('data', text => {
    got += text
  })
  socket.on('error', () => {})
  // Once this has its answer, the server has what was written with it.
  socket.write(`GET /nowhere HTTP/1.1\r\n${HEAD}\r\n${first}`)
  while (!got.includes('\r\n\r\n')) await once(socket, 'data')
  return {
    /** Sends the rest and resolves with the answer, once the server has ended the connection. */
    async end(): Promise<string> {
      got = ''
      const closed = once(socket, 'close')
      socket.write(rest)
      await closed
      return got.slice(got.indexOf('HTTP/1.1'))
    },
    abandon: () => void socket.destroy(),
  }
}

async function dial(name: string, port: number): Promise<Socket> {
  const at = { host: '127.0.0.1', port }
  const secure = name === 'node-http'
  const socket = secure ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at)
  onTestFinished(() => void socket.destroy())
  await once(socket, secure ? 'secureConnect' : 'connect')
  return socket
}

/** Resolves once nobody takes connections at that port. */
export async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    if (refused) return
    await sleep(20)
  }
}
