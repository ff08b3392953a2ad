import type { Dispatcher } from 'undici'

/** What is kept of an answer. */
export interface Answer {
  status: number
  retryAfter: string | null
  /** What its body begins with, in the form in which it came, and how it is compressed. */
  start: Buffer
  encoding: string | null
}

/** Thrown when an answer did not end in time. */
export class TimedOut extends Error {}

/** Thrown when only informational answers came. */
export class EndlessAnswer extends Error {}

/** What is read of an answer's body before the connection is dropped. */
const MAX_BODY_BYTES = 65_536

/** How many answers of status 1xx may come before the one that counts. */
const MOST_INFORMATIONAL = 16

/** What is kept of it. */
const START_BYTES = 1024

/**
 * Sends one request and reads its answer, dialling and body included in `timeoutSeconds`. Past 64 KiB the connection is
 * dropped and the answer counts as it stands. Nothing is decompressed. An answer whose status is a failure is one, whether
 * or not its body ends; without a status, or with a 2xx cut short, it throws what went wrong.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutSeconds: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let answer: Answer | null = null
    let bytes = 0
    let informational = 0
    let over = false

    const end = (error: Error | null) => {
      if (over) return
      over = true
      clearTimeout(timer)
      if (answer && (error === null || answer.status >= 300)) resolve(answer)
      else reject(error ?? new Error('no answer'))
    }
    const timer = setTimeout(() => {
      end(new TimedOut())
      controller?.abort(new TimedOut())
    }, timeoutSeconds * 1000)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (over) started.abort(new TimedOut())
      },
      onResponseStart(started, status, headers) {
        if (status < 200) {
          if (++informational <= MOST_INFORMATIONAL) return
          end(new EndlessAnswer())
          started.abort(new EndlessAnswer())
          return
        }
        const first = (name: string) => [headers[name]].flat()[0] ?? null
        const [retryAfter, encoding] = [first('retry-after'), first('content-encoding')]
        answer = { status, retryAfter, encoding, start: Buffer.alloc(0) }
        // There is no more of it, whatever length it claims: the receiver has the webhook.
        if (status === 204) end(null)
      },
      onResponseData(started, chunk) {
        bytes += chunk.byteLength
        if (answer && answer.start.byteLength < START_BYTES) {
          answer.start = Buffer.concat([answer.start, chunk]).subarray(0, START_BYTES)
        }
        if (bytes < MAX_BODY_BYTES) return
        end(null)
        started.abort(new Error('the rest of the answer is not wanted'))
      },
      onResponseEnd: () => end(null),
      onResponseError: (_, error) => end(error),
    }
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
  })
}
