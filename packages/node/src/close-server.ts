import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TillError } from '@tillkit/http'
import { closing, endAfterwards } from './last-answers.ts'

/** A server of `node:http` or `node:https`, or of what stands on one. */
export interface ClosableServer extends Server {
  /** Ends connections on which nothing is under way. */
  closeIdleConnections?(): void
  /** Ends all of them. */
  closeAllConnections?(): void
}

/** What `closeServer` takes beside the server. */
export interface CloseServerOptions {
  /** For how many seconds requests under way are waited for, up to 3600: 10. */
  graceSeconds?: number
}

/** What was waited for. */
export interface ClosedServer {
  /** Connections that were cut in the midst of a request after `graceSeconds`. */
  cut: number
  /** How long it took. */
  milliseconds: number
}

/**
 * For how long connections that are silent are left as they are: a request may be on its way on them, or have come and not been read yet,
 * and a connection that is ended then is reset, with nothing said of what became of the request.
 */
const SILENT_MILLISECONDS = 500

/** How often connections are looked at that have become idle. */
const LOOK_MILLISECONDS = 50

/**
 * Takes no more connections, answers what is under way, and ends each connection once nothing is, after half a second for what is on its way, or half of
 * `graceSeconds` where that is below one second: a client that keeps one open would else be waited for until it goes by itself. What is not over after
 * `graceSeconds` is cut, or, where the server does not reach it, left to whoever made it what it is: a WebSocket, say, or a session of HTTP/2. A server that
 * does not listen is closed already. Throws `TillError` `invalid_input` for what is no server or no number of seconds.
 */
export async function closeServer(
  server: ClosableServer,
  { graceSeconds = 10 }: CloseServerOptions = {},
): Promise<ClosedServer> {
  if (typeof server?.close !== 'function') refuse('server must be a server of node:http or node:https')
  if (typeof graceSeconds !== 'number' || !(graceSeconds >= 0 && graceSeconds <= 3600)) {
    refuse('graceSeconds must be a number of seconds, 0 to 3600')
  }
  const began = performance.now()
  closing.servers += 1
  server.prependListener('request', endAfterwards)
  let idle = setTimeout(
    function end() {
      server.closeIdleConnections?.()
      idle = setTimeout(end, LOOK_MILLISECONDS)
    },
    Math.min(SILENT_MILLISECONDS, graceSeconds * 500),
  )
  const enough = new AbortController()
  const late = sleep(graceSeconds * 1000, LATE, { signal: enough.signal }).catch(() => {})
  try {
    // The error is that it was closed already.
    const closed = new Promise<unknown>(resolve => closeAlone(server, resolve))
    const cut = (await Promise.race([closed, late])) === LATE ? await cutAll(server, closed) : 0
    return { cut, milliseconds: Math.round(performance.now() - began) }
  } finally {
    enough.abort()
    clearTimeout(idle)
    server.removeListener('request', endAfterwards)
    closing.servers -= 1
  }
}

/** `server.close` of its own accord ends idle connections at once. */
function closeAlone(server: ClosableServer, done: (error?: Error) => void): void {
  const own = Object.getOwnPropertyDescriptor(server, 'closeIdleConnections')
  server.closeIdleConnections = () => {}
  try {
    server.close(done)
  } finally {
    if (own) Object.defineProperty(server, 'closeIdleConnections', own)
    else delete server.closeIdleConnections
  }
}

const LATE = Symbol('late')

/** How many were cut: a server does not reach those that are no longer its own. */
async function cutAll(server: ClosableServer, closed: Promise<unknown>): Promise<number> {
  const before = await countOf(server)
  server.closeAllConnections?.()
  await Promise.race([closed, sleep(LOOK_MILLISECONDS)])
  return before - (await countOf(server))
}

function countOf(server: Server): Promise<number> {
  return new Promise(resolve => server.getConnections((_error, count) => resolve(count ?? 0)))
}

function refuse(message: string): never {
  throw new TillError('invalid_input', message)
}
