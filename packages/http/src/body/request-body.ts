import { type BodyLimits, UNREAD_LIMITS } from './body-limits.ts'
import { type BodyListener, gatherBody } from './gather-body.ts'

/** The body of a WHATWG `Request`. */
export function readRequestBody({ body, headers }: Request, limits?: BodyLimits): Promise<Uint8Array> {
  return gatherBody(
    {
      contentLength: headers.get('content-length') ?? undefined,
      open(listener) {
        const reading = body === null ? nothing(listener) : read(body.getReader(), listener)
        return () => reading.stop()
      },
    },
    limits,
  )
}

function nothing(listener: BodyListener) {
  listener.end()
  return { stop() {} }
}

/**
 * Reads a stream. Stopped before its end, what is left of it is let go by up to a bound, and then cancelled: cancelled at
 * once it would take its connection with it, and the answer.
 */
function read(reader: ReadableStreamDefaultReader<Uint8Array>, listener: BodyListener) {
  let left = UNREAD_LIMITS.bytes
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const cancel = () => void reader.cancel().catch(() => {})

  async function run(): Promise<void> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return listener.end()
      if (!stopped) {
        listener.piece(value)
        continue
      }
      left -= value.length
      if (left < 0) return cancel()
    }
  }
  run()
    .catch(error => listener.fail(error))
    .finally(() => clearTimeout(timer))

  return {
    stop() {
      stopped = true
      timer = setTimeout(cancel, UNREAD_LIMITS.seconds * 1000)
      timer.unref?.()
    },
  }
}
