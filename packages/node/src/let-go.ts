import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { MAX_BODY_BYTES, UNREAD_LIMITS } from '@tillkit/http'

/** Statuses of requests that are refused whatever their bodies say. */
const REFUSALS = new Set([401, 403, 404, 405, 413, 429])

/** For how long, and how many bytes, a client may still send that has its answer, before its connection is cut. */
const LINGER = { milliseconds: 2000, bytes: 32 * 1024 }

/**
 * Lets what a handler left of a request's body go by, so that the connection goes on; one that has too much left, or takes
 * too long over it, is ended once it has its answer. Of the body of a request that was refused little more is read than
 * would have been of a good one. For adapters: called when the handler is done.
 *
 * @param status What is answered, where the response does not know it yet.
 */
export function letGo(request: IncomingMessage, response: ServerResponse, status?: number): void {
  if (request.destroyed || (request.complete && request.readableLength === 0)) return
  let left = REFUSALS.has(status ?? response.statusCode) ? MAX_BODY_BYTES : UNREAD_LIMITS.bytes

  const enough = () => {
    clearTimeout(timer)
    request.off('data', count).pause()
    if (response.writableFinished) end(request)
    else response.once('finish', () => end(request))
  }
  const count = (piece: Uint8Array) => {
    left -= piece.length
    if (left < 0) enough()
  }
  const timer = setTimeout(() => setImmediate(enough), UNREAD_LIMITS.seconds * 1000).unref()
  request.once('close', () => clearTimeout(timer))
  request.once('error', () => {})
  if (Number(request.headers['content-length']) > left) enough()
  else request.on('data', count).resume()
}

/**
 * Of HTTP/2 the stream. Of HTTP/1 the connection: cut at once, with bytes on the way that nobody read, it would take the
 * answer with it. So the client hears that the server has said all, and has a while to hang up.
 */
function end(request: IncomingMessage & { stream?: { destroy(): void } }): void {
  if (request.complete) return
  if (request.stream) request.stream.destroy()
  else if (request.socket instanceof Socket) linger(request, request.socket)
  else request.destroy() // what a framework injects for tests has no connection
}

function linger(request: IncomingMessage, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER.milliseconds).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  let left = LINGER.bytes
  request.on('data', (piece: Uint8Array) => {
    left -= piece.length
    if (left < 0) request.pause()
  })
  request.resume()
}
