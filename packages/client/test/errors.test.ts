import { inspect } from 'node:util'
import { ApiError, createClient } from '@tillkit/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BASE_URL, gather, openShop } from './shop.ts'

const KEY = 'tk_secret0123456789'
const json =
  (status: number, value: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(value), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
const payment = json(200, { id: 7, status: 'completed', date: '2026-11-20T09:30:00Z' })
const LIST_OF_ONE = {
  ...{ 'x-total': '1', 'x-total-pages': '1', 'x-page': '1', 'x-per-page': '100', 'x-offset': '0' },
}
const cut = () => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

/** A client whose server answers in this order, then with the last for ever. */
function answeredWith(...answers: ((init: { signal: AbortSignal }) => Response | Promise<Response>)[]) {
  const sent: { url: string; headers: Record<string, string>; at: number }[] = []
  const client = createClient({
    baseUrl: BASE_URL,
    apiKey: KEY,
    fetch: async (url, init) => {
      sent.push({ url, headers: init.headers, at: performance.now() })
      const answer = answers[Math.min(sent.length, answers.length) - 1]
      return (answer as (typeof answers)[0])(init)
    },
  })
  return { client, sent }
}

const failure = (call: Promise<unknown>) =>
  call.then(
    value => expect.fail(`succeeded with ${inspect(value)}`),
    error => error as ApiError,
  )

/** What a call ends with, all its pauses passed. */
async function ended<Value>(call: Promise<Value>): Promise<Value> {
  call.catch(() => {})
  await vi.runAllTimersAsync()
  return call
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what passes is tried again', () => {
  test.each([
    ['a cut connection', cut],
    ['429', json(429, { message: 'Too many requests', code: 'rate_limited' })],
    ['500', json(500, { message: 'Internal server error', code: 'internal' })],
    ['503', json(503, { message: 'Unavailable', code: 'unavailable' })],
    ['408', () => new Response(null, { status: 408 })],
    ['502 of a proxy', () => new Response('<html>Bad gateway</html>', { status: 502 })],
    [
      'a body that is cut',
      () => {
        const body = new ReadableStream({ pull: controller => controller.error(new Error('cut')) })
        return new Response(body)
      },
    ],
  ])('%s', async (_, answer) => {
    const { client, sent } = answeredWith(answer, answer, payment)
    expect((await ended(client.payments.get(7))).id).toBe(7)
    expect(sent).toHaveLength(3)

    const paid = json(200, [await payment().json()], LIST_OF_ONE)
    const waiting = answeredWith(...Array(8).fill(answer), paid)
    const order = { merchantReference: 'order-7' }
    expect(await ended(waiting.client.payments.waitFor(order))).toMatchObject({ id: 7 })
  })

  test('and not more often than the settings say, with growing pauses of chance', async () => {
    const { client, sent } = answeredWith(cut)
    const error = await failure(ended(client.payments.get(7)))
    expect(error).toMatchObject({ status: 0, code: 'network', requestId: null, retryAfter: null })
    expect(error.message).toBe('No answer: GET /payments/7: read ECONNRESET')
    expect(sent).toHaveLength(6)
    const pauses = sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0))
    pauses.forEach((pause, i) => {
      expect(pause).toBeGreaterThanOrEqual(125 * 2 ** i - 1)
      expect(pause).toBeLessThanOrEqual(250 * 2 ** i + 1)
    })
  })

  test.each([
    [400, 'invalid_parameter'],
    [401, 'unauthorised'],
    [403, 'suspended'],
    [403, 'https_required'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [500, 'not_ready'],
  ])('what does not pass is not: %i %s', async (status, code) => {
    const headers = { 'x-request-id': 'r-1' }
    const { client, sent } = answeredWith(json(status, { message: 'No', code }, headers))
    const error = await failure(client.payments.get(7))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'ApiError', status, code, message: 'No', requestId: 'r-1' })
    expect(sent).toHaveLength(1)
  })
})

describe('Retry-After', () => {
  const busy = (headers: Record<string, string>) =>
    json(429, { message: 'Too many', code: 'rate_limited' }, headers)

  test.each([
    ['seconds', { 'retry-after': '7' }],
    [
      'a date, by the server’s clock',
      { 'retry-after': 'Fri, 20 Nov 2026 09:30:07 GMT', date: 'Fri, 20 Nov 2026 09:30:00 GMT' },
    ],
  ])('as %s is kept', async (_, headers) => {
    const { client, sent } = answeredWith(busy(headers), payment)
    await ended(client.payments.get(7))
    const [first, second] = sent.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(6999)
    expect((second ?? 0) - (first ?? 0)).toBeLessThanOrEqual(7701)
  })

  test.each([
    ['0 seconds', { 'retry-after': '0' }],
    [
      'a date that is over',
      { 'retry-after': 'Fri, 20 Nov 2026 09:29:00 GMT', date: 'Fri, 20 Nov 2026 09:30:00 GMT' },
    ],
  ])('as %s is no reason to ask again without a pause', async (_, headers) => {
    const { client, sent } = answeredWith(busy(headers))
    expect(await failure(ended(client.payments.get(7)))).toMatchObject({ retryAfter: 0 })
    const pauses = sent.slice(1).map(({ at }, n) => at - (sent[n]?.at ?? 0))
    expect(pauses.map((pause, n) => pause >= 125 * 2 ** n)).toEqual([true, true, true, true, true])

    const waiting = answeredWith(json(500, { message: 'No', code: 'not_ready' }, headers))
    const walk = waiting.client.cashUps.payments('ab', { waitSeconds: 10 }).next()
    expect(await failure(ended(walk))).toMatchObject({ code: 'not_ready', retryAfter: 0 })
    expect(waiting.sent.length).toBeLessThanOrEqual(6)
  })

  test('past the end of the call is told at once', async () => {
    const { client, sent } = answeredWith(busy({ 'retry-after': '60' }))
    expect(await failure(client.payments.get(7))).toMatchObject({ code: 'rate_limited', retryAfter: 60 })
    expect(sent).toHaveLength(1)
  })
})

describe('a call has an end', () => {
  const never = () => new Promise<Response>(() => {})

  test('at its deadline, with attempts in between, whether fetch heeds its signal or not', async () => {
    const { client, sent } = answeredWith(never)
    const start = performance.now()
    const error = await failure(ended(client.payments.get(7)))
    expect(error).toMatchObject({ code: 'timeout', status: 0 })
    expect(performance.now() - start).toBeLessThanOrEqual(30_001)
    expect(sent.length).toBeGreaterThanOrEqual(3)
  })

  test('where its signal is aborted: before, in an attempt, in a pause, between pages', async () => {
    const reason = new Error('no longer wanted')
    const before = answeredWith(payment)
    expect(await failure(before.client.payments.get(7, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(before.sent).toEqual([])

    for (const answer of [
      never,
      cut,
      json(500, { message: 'No', code: 'not_ready' }, { 'retry-after': '2' }),
    ]) {
      const controller = new AbortController()
      const { client } = answeredWith(answer)
      const { signal } = controller
      const walk = client.cashUps.payments('ab', { waitSeconds: 60, signal })
      const call = failure(answer === cut ? client.cashUps.create({ signal }) : walk.next())
      await vi.advanceTimersByTimeAsync(100)
      controller.abort(reason)
      expect(await call).toBe(reason)
    }

    const { shop, pay } = await openShop()
    for (let i = 0; i < 5; i++) await pay()
    const controller = new AbortController()
    const walk = shop.payments.all({ perPage: 2 }, { signal: controller.signal })
    expect((await walk.next()).done).toBe(false)
    await walk.next()
    controller.abort(reason)
    expect(await failure(gather(walk))).toBe(reason)
  })
})

describe('what is not the API says so', () => {
  test.each([
    [
      'a page',
      () => new Response('<!DOCTYPE html>\n<p>Welcome', { headers: { 'content-type': 'text/html' } }),
    ],
    ['a page that is an error', () => new Response('Forbidden', { status: 403 })],
    ['other JSON', json(200, { ok: true })],
    ['a list', json(200, [])],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere' } })],
    ['17 MiB', () => new Response('x'.repeat(17 * 1024 * 1024))],
  ])('%s', async (_, answer) => {
    const { client, sent } = answeredWith(answer)
    const error = await failure(client.payments.get(7))
    expect(error.code).toBe('unexpected_answer')
    expect(error.message).toMatch(
      /^GET \/payments\/7 was (not answered by the API: |answered with no payment)/,
    )
    expect(sent).toHaveLength(1)
  })

  test('a list without its headers, or of something else', async () => {
    for (const answer of [json(200, []), json(200, [{}]), json(200, {})]) {
      const error = await failure(answeredWith(answer).client.payments.list())
      expect(error.code).toBe('unexpected_answer')
    }
  })

  test('an error with a code of a later version has the one of its status', async () => {
    const code = async (status: number, value: object) =>
      (await failure(answeredWith(json(status, value)).client.payments.get(7))).code
    expect(await code(404, { message: 'No', code: 'unheard_of' })).toBe('not_found')
    expect(await code(400, { message: 'No' })).toBe('invalid_parameter')
    expect(await code(500, { message: 'The query is not ready' })).toBe('not_ready')
    expect(await code(418, { message: 'No' })).toBe('unexpected_answer')
  })
})

test('the key is in no error, whoever puts it there', async () => {
  const credentials = btoa(`${KEY}:`)
  const answers = [
    () => Promise.reject(Object.assign(new Error(`Basic ${credentials} failed`), { config: { KEY } })),
    () => new Response(`you sent ${credentials} and ${KEY}`),
    ...[50, 70].map(at => () => new Response(`${'-'.repeat(at)}${credentials}`)),
    json(400, { message: `${KEY} is odd`, code: 'invalid_parameter' }),
  ]
  for (const answer of answers) {
    const shown = inspect(await failure(ended(answeredWith(answer).client.payments.get(7))), { depth: 9 })
    expect(shown).toContain('***')
    expect(shown).not.toContain(KEY)
    expect(shown).not.toContain(credentials)
    expect(shown).not.toContain(credentials.slice(0, 6))
  }
})
