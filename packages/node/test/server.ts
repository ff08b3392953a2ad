import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Server } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { generate } from 'selfsigned'
import { onTestFinished } from 'vitest'

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })

export interface Listening {
  port: number
  server: Server
  /** Writes bytes to one connection and returns all that comes back until the server ends it. */
  raw(text: string | Uint8Array): Promise<string>
}

/** A server on plain HTTP until the test is over. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  return { ...(await ready(server)), raw: text => exchange(port => connect(port, '127.0.0.1'), server, text) }
}

/** A server on TLS until the test is over. */
export async function listenSecurely(listener: RequestListener): Promise<Listening> {
  const server = createSecureServer({ key, cert }, listener)
  const dial = (port: number) =>
    connectSecurely({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' })
  return { ...(await ready(server)), raw: text => exchange(dial, server, text) }
}

async function ready(server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer>) {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: portOf(server), server }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function exchange(
  dial: (port: number) => ReturnType<typeof connect>,
  server: Server,
  text: string | Uint8Array,
) {
  return new Promise<string>((resolve, reject) => {
    const socket = dial(portOf(server))
    const pieces: Buffer[] = []
    socket.on('data', piece => pieces.push(piece))
    socket.on('end', () => resolve(Buffer.concat(pieces).toString('latin1')))
    socket.on('error', reject)
    socket.write(text)
  })
}

/** The text of a request that closes its connection. */
export function message(line: string, headers: Record<string, string> = {}): string {
  const all = { Host: 'localhost', Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** The status of a response's text. */
export function statusOf(response: string): number {
  return Number(response.split(' ', 2)[1])
}

/** The body of a response's text. */
export function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4)
}
