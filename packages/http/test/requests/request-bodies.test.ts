import { setImmediate } from 'node:timers/promises'
import { type BodyLimits, gatherBody, RequestError, toFetch } from '@tillkit/http'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.useRealTimers())

const MIB = 1024 * 1024

interface Source {
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void | Promise<void>
}

/** Posts a stream to a handler that reads its body within the limits: how that ended, and what became of the stream. */
function post(source: Source, limits: BodyLimits = {}, headers = {}) {
  const cancelled = vi.fn(() => Promise.reject(new Error('gone')))
  let read: Promise<Uint8Array> | undefined
  const listen = toFetch(async request => {
    read = request.body(limits)
    await read.catch(() => {})
    return { status: 200, headers: {}, body: null }
  })
  const body = new ReadableStream({ ...source, cancel: cancelled }, { highWaterMark: 0 })
  const init = { method: 'POST', body, duplex: 'half', headers }
  const answer = listen(new Request('https://pay.example.com', init as RequestInit))
  const outcome = async () => {
    await answer
    return read?.then(
      bytes => new TextDecoder().decode(bytes),
      (error: Error) => (error instanceof RequestError ? error.status : error.message),
    )
  }
  return { outcome, cancelled }
}

const pieces = (...texts: string[]) => ({
  pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    const text = texts.shift()
    if (text === undefined) controller.close()
    else controller.enqueue(new TextEncoder().encode(text))
  },
})
const silence = { pull: () => new Promise<void>(() => {}) }

test('a body in pieces is read whole, up to its limit, and leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect(await post(pieces('ab', '', 'c'), { bytes: 3 }).outcome()).toBe('abc')
  expect(await post(pieces('ab', 'cd'), { bytes: 3 }).outcome()).toBe(413)
  await setImmediate()
  expect(vi.getTimerCount()).toBe(0)
})

test('a body that says that it is too large is refused before it comes, one that says the limit is read', async () => {
  expect(await post(silence, { bytes: 3 }, { 'content-length': '4' }).outcome()).toBe(413)
  expect(await post(pieces('abc'), { bytes: 3 }, { 'content-length': '3' }).outcome()).toBe('abc')
})

test('a stream that fails is told of as it failed', async () => {
  const failing = { pull: () => Promise.reject(new Error('the line is cut')) }
  expect(await post(failing).outcome()).toBe('the line is cut')
})

test.each([
  ['as it came', {}, 1],
  ['by its length', { 'content-length': '1000000000' }, 0],
])(
  'the rest of a body that was refused %s is let go by, and cut off where it does not end',
  async (_, headers, before) => {
    let sent = 0
    const endless = {
      async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        sent += 1
        if (sent > 100) return controller.close()
        await setImmediate()
        controller.enqueue(new Uint8Array(MIB))
      },
    }
    const { outcome, cancelled } = post(endless, { bytes: 10 }, headers)
    expect(await outcome()).toBe(413)
    await vi.waitUntil(() => cancelled.mock.calls.length > 0, { timeout: 60_000 })
    expect(sent).toBe(before + 16 + 1)
  },
)

test('a body that stalls is refused when its time is over, and its rest is waited for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { outcome, cancelled } = post(silence)
  await setImmediate()
  vi.advanceTimersByTime(10_000)
  expect(await outcome()).toBe(408)
  vi.advanceTimersByTime(9_999)
  expect(cancelled).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(cancelled).toHaveBeenCalledOnce()
})

test('bytes that came in while this process stood still are not late', async () => {
  const stalled = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const end = performance.now() + 300
      while (performance.now() < end);
      await setImmediate()
      controller.enqueue(new TextEncoder().encode('in time'))
      controller.close()
    },
  }
  expect(await post(stalled, { seconds: 0.1 }).outcome()).toBe('in time')
})

test('a source of a host’s own that is refused as it begins is stopped', async () => {
  const stop = vi.fn()
  const gathered = gatherBody(
    {
      contentLength: undefined,
      open(listener) {
        listener.piece(new Uint8Array(4))
        return stop
      },
    },
    { bytes: 3 },
  )
  await expect(gathered).rejects.toMatchObject({ status: 413 })
  expect(stop).toHaveBeenCalledOnce()
})
