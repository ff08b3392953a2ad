import { RequestError } from '../request/request-error.ts'
import { BODY_SECONDS, type BodyLimits, MAX_BODY_BYTES } from './body-limits.ts'

/** Hears of a body as it arrives. What comes after the end, or after the source was told to stop, is not heard. */
export interface BodyListener {
  /** The next bytes. */
  piece(bytes: Uint8Array): void
  /** There are no more. */
  end(): void
  /** The source failed. */
  fail(error: unknown): void
}

/** Where a body comes from: what an adapter says of its server's stream. */
export interface BodySource {
  /** The header, where what is read is what was sent. */
  contentLength: string | undefined
  /** Begins to read. Returns what stops it, and leaves the rest to the adapter. */
  open(listener: BodyListener): () => void
}

const DEAF: BodyListener = { piece() {}, end() {}, fail() {} }

/**
 * Reads a body within its limits: the one place for every adapter. A body that says itself that it is too large is not
 * waited for. Rejects with `RequestError` (`invalid_input`; 413, 408), or as the source fails.
 */
export function gatherBody(source: BodySource, limits: BodyLimits = {}): Promise<Uint8Array> {
  const { bytes = MAX_BODY_BYTES, seconds = BODY_SECONDS } = limits
  if (Number(source.contentLength) > bytes) {
    source.open(DEAF)()
    return Promise.reject(tooLarge(bytes))
  }
  return new Promise((resolve, reject) => {
    let gathered = new Uint8Array(Math.min(bytes, 4096))
    let size = 0
    let open = true
    let stop: (() => void) | undefined

    const settle = (done: () => void) => {
      if (!open) return
      open = false
      clearTimeout(timer)
      stop?.()
      done()
    }
    const late = () => settle(() => reject(new RequestError(408, `the body did not end within ${seconds} s`)))
    // After a stall of this process timers come first: bytes that wait to be read get their turn before it is too late.
    const timer = setTimeout(() => setImmediate(late), seconds * 1000)

    stop = source.open({
      piece(piece) {
        const end = size + piece.length
        if (end > bytes) return settle(() => reject(tooLarge(bytes)))
        // Copied: a thousand pieces of one byte each would hold a thousand buffers.
        if (end > gathered.length)
          gathered = grown(gathered, Math.min(bytes, Math.max(end, 2 * gathered.length)))
        gathered.set(piece, size)
        size = end
      },
      end: () => settle(() => resolve(gathered.subarray(0, size))),
      fail: error => settle(() => reject(error)),
    })
    if (!open) stop()
  })
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

function tooLarge(bytes: number): RequestError {
  return new RequestError(413, `the body must not be larger than ${bytes} bytes`)
}
