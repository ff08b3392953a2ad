import type { Writable } from 'node:stream'

/** Whoever read the output has gone, as `head` does when it has seen enough. */
export class ReaderGone extends Error {}

const GONE = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/** Writes, and resolves when more may be written. Throws `ReaderGone` where nobody reads any more. */
export function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => {
      if (!error) resolve()
      else reject(GONE.has((error as NodeJS.ErrnoException).code ?? '') ? new ReaderGone() : error)
    })
  })
}

/** What is said to whoever reads it: that nobody does ends nothing. */
export async function unlessGone(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error
  }
}

/** For as long as `work` goes on, an error of a stream is only told to whoever writes. */
export async function hearing<Result>(streams: Writable[], work: () => Promise<Result>): Promise<Result> {
  const heard = () => {}
  for (const stream of streams) stream.on('error', heard)
  try {
    return await work()
  } finally {
    // The event comes after the answer to the write.
    setImmediate(() => {
      for (const stream of streams) stream.off('error', heard)
    })
  }
}
