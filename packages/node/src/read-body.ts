import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type BodyLimits, type BodyListener, gatherBody } from '@tillkit/http'

/** The bytes of a stream, or of what a framework's parser left. Rejects with `RequestError` where they are too many or late. */
export async function readBody(
  request: IncomingMessage,
  parsed: unknown,
  limits: BodyLimits | undefined,
): Promise<Uint8Array> {
  // Fastify hands over the request itself where no hook has put something in its place.
  if (parsed === undefined || parsed === request) {
    const contentLength = request.headers['content-length']
    return gatherBody({ contentLength, open: listener => readStream(request, listener) }, limits)
  }
  return gatherBody({ contentLength: undefined, open: listener => readParsed(parsed, listener) }, limits)
}

function readParsed(parsed: unknown, listener: BodyListener): () => void {
  if (parsed instanceof Readable) {
    const stop = readStream(parsed, listener)
    return () => {
      stop()
      // What a host's hook decodes may be far larger than what was sent: nobody decodes the rest.
      if (!parsed.readableEnded) parsed.destroy()
    }
  }
  if (typeof parsed === 'string' || parsed instanceof Uint8Array) {
    listener.piece(Buffer.from(parsed))
    listener.end()
  } else {
    const problem =
      'the body was parsed before the handler could read it; mount the handler before the parser'
    listener.fail(new Error(problem))
  }
  return () => {}
}

/** Reads to the end, or until it is stopped; the rest then waits to be let go. */
function readStream(stream: Readable, { piece, end, fail }: BodyListener): () => void {
  if (stream.destroyed || stream.readableEnded) {
    fail(new Error('the body was read before, or its connection is gone'))
    return () => {}
  }
  const closed = () => fail(new Error('the connection closed before the end of the body'))
  stream.on('data', piece).once('end', end).once('error', fail).once('close', closed)
  return () => {
    stream.off('data', piece).off('end', end)
    if (!stream.readableEnded) stream.pause()
  }
}
