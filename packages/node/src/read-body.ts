import { Readable } from 'node:stream'
import { BodyBuffer } from '@tillkit/http'

/** The bytes of a stream, or of what a framework's parser left. Rejects with `TillError` where they are too many. */
export async function readBody(source: unknown): Promise<Uint8Array> {
  if (source instanceof Readable) return readStream(source)
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    throw new Error(
      'the body was parsed before the handler could read it; mount the handler before the parser',
    )
  }
  const buffer = new BodyBuffer()
  buffer.add(Buffer.from(source))
  return buffer.bytes()
}

/**
 * Reads to the end, or to where it is too much. Then the rest is let go by unread, for the connection to go on: leaving
 * a `for await` would destroy it.
 */
function readStream(stream: Readable): Promise<Uint8Array> {
  if (stream.destroyed || stream.readableEnded) {
    return Promise.reject(new Error('the body was read before, or its connection is gone'))
  }
  return new Promise((resolve, reject) => {
    const buffer = new BodyBuffer()
    stream.on('data', piece => {
      try {
        buffer.add(piece)
      } catch (error) {
        stream.removeAllListeners('data').resume()
        reject(error)
      }
    })
    stream.once('end', () => resolve(buffer.bytes()))
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('the connection closed before the end of the body')))
  })
}
