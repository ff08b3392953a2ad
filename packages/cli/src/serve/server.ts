import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { closeServer, type NodeListener } from '@tillkit/node'
import { Refused } from '../program/usage-error.ts'
import type { Credentials } from './tls.ts'

/** A server that listens, and knows what it has in flight. */
export interface Listening {
  /** Where: `http://127.0.0.1:3000`. */
  origin: string
  /** From now on requests are answered by this. */
  answer(listener: NodeListener): void
  /** Takes another certificate for connections to come. */
  renew(credentials: Credentials): void
  /**
   * Takes no more connections and waits for the requests in flight, so many seconds; what is left then is cut. Returns how many
   * requests it waited for, and how many connections were cut.
   */
  close(graceSeconds: number): Promise<{ waitedFor: number; cut: number }>
}

/** After how long without a byte to or from it a client is cut off: what it does not read is kept for it until then. No request takes as long. */
const SILENCE_SECONDS = 120

/**
 * For how long a connection is kept that nothing is under way on: longer than proxies keep it, nginx for 60 s and Caddy for two
 * minutes. What they send as it is closed is lost.
 */
const KEPT_SECONDS = 130

/** Listens. Throws `Refused` where the address cannot be had. */
export async function listen(
  host: string,
  port: number,
  credentials: Credentials | undefined,
  silenceSeconds: number = SILENCE_SECONDS,
): Promise<Listening> {
  const server: Server | TlsServer = credentials ? createTlsServer(credentials) : createServer()
  server.setTimeout(silenceSeconds * 1000)
  server.keepAliveTimeout = KEPT_SECONDS * 1000
  let inFlight = 0
  server.on('request', (_, response) => {
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(refusal(error, host, port)))
    server.listen(port, host, resolve)
  })
  server.on('error', () => {})
  const { address, family, port: had } = server.address() as AddressInfo
  const name = family === 'IPv6' ? `[${address}]` : address
  return {
    origin: `${credentials ? 'https' : 'http'}://${name}:${had}`,
    answer: listener => void server.on('request', listener),
    renew(credentials) {
      if ('setSecureContext' in server) server.setSecureContext(credentials)
    },
    async close(graceSeconds) {
      const waitedFor = inFlight
      const { cut } = await closeServer(server, { graceSeconds })
      return { waitedFor, cut }
    },
  }
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Refused(`port ${port} of ${host} is taken: choose another by --port`)
  if (error.code === 'EACCES')
    return new Refused(`port ${port} is not for this user: choose one above 1023 by --port`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Refused(`--host ${host} is no address of this machine`)
  }
  return error
}
