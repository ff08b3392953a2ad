import { createHash } from 'node:crypto'
import { qrEndpoints } from '@tillkit/http'
import * as drawing from '@tillkit/qr'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { beforeEach, expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

vi.mock('@tillkit/qr', { spy: true })

const qrBaseUrl = 'https://pay.example.com'
const { till, code } = await openTill()
const drawn = vi.mocked(drawing.qrImage)
beforeEach(() => void drawn.mockClear())
const endpoints = (points?: number) =>
  qrEndpoints(till, {
    qrBaseUrl,
    rateLimits:
      points === undefined ? false : { perAddress: new RateLimiterMemory({ points, duration: 3600 }) },
  })

test('an image is drawn once, and kept', async () => {
  const qr = endpoints()
  const first = await send(qr, `/${code}.png?id=5`)
  const again = await send(qr, `/${code}.png?id=5`)
  expect(again.body).toEqual(first.body)
  expect(drawn).toHaveBeenCalledTimes(1)
  for (const other of ['.png?id=6', '.svg?id=5', '.png?id=5&scan_code_size=200']) {
    await send(qr, `/${code}${other}`)
  }
  expect(drawn).toHaveBeenCalledTimes(4)
})

test('what is kept has a bound: in time the first is drawn again', async () => {
  const qr = endpoints()
  await send(qr, `/${code}.svg?scan_code_size=500`)
  const long = 'x'.repeat(680)
  for (let i = 100; i < 320; i++) await send(qr, `/${code}.svg?${i}=${long}`)
  drawn.mockClear()
  await send(qr, `/${code}.svg?319=${long}`)
  expect(drawn).not.toHaveBeenCalled()
  await send(qr, `/${code}.svg?scan_code_size=500`)
  expect(drawn).toHaveBeenCalledTimes(1)
})

test('whoever has its tag is answered without a drawing, by another process too', async () => {
  const { headers } = await send(endpoints(), `/${code}.png?id=7`)
  drawn.mockClear()
  const asked = { headers: { 'if-none-match': headers.ETag ?? '' } }
  const response = await send(endpoints(), `/${code}.png?id=7`, asked)
  expect([response.status, response.body, response.headers.ETag]).toEqual([304, null, headers.ETag])
  expect((await send(endpoints(), `/${code}.png?id=8`, asked)).status).toBe(200)
  expect((await send(endpoints(), '/unknown.png?id=7', asked)).status).toBe(404)
  expect(drawn).toHaveBeenCalledTimes(1)
})

test('a URL has as many characters as can be scanned and paid for', async () => {
  const room = 800 - `${qrBaseUrl}/qr/${code}?`.length
  const qr = endpoints()
  for (const type of ['svg', 'png']) {
    const most = await send(qr, `/${code}.${type}?scan_code_size=500&${'x'.repeat(room)}`)
    expect(most.status).toBe(200)
    drawn.mockClear()
    const more = await send(qr, `/${code}.${type}?scan_code_size=500&${'x'.repeat(room + 1)}`)
    expect([more.status, parsed(more).message]).toEqual([400, expect.stringContaining('800 characters')])
    expect(drawn).not.toHaveBeenCalled()
  }
})

test('a drawing counts as much as it costs; one that is kept, or a 304, as an ordinary request', async () => {
  const qr = endpoints(100)
  const left = async (target: string, headers = {}) => {
    const response = await send(qr, target, { headers })
    return Number(/r=(\d+)/.exec(response.headers.RateLimit ?? '')?.[1])
  }
  expect(await left(`/${code}`)).toBe(99)
  expect(await left(`/${code}.svg`)).toBe(96)
  expect(await left(`/${code}.svg`)).toBe(95)
  expect(await left(`/${code}.svg`, { 'if-none-match': '*' })).toBe(94)
  expect(await left(`/${code}.svg?${'x'.repeat(680)}`)).toBe(94 - 1 - 2 - 2)
})

test('an address that cannot pay for a drawing gets none', async () => {
  const qr = endpoints(11)
  const ask = (id: number) => send(qr, `/${code}.svg?id=${id}${'x'.repeat(680)}`)
  const statuses: number[] = []
  for (let id = 0; id < 5; id++) statuses.push((await ask(id)).status)
  expect(statuses).toEqual([200, 200, 429, 429, 429])
  expect(drawn).toHaveBeenCalledTimes(2)
  const refused = await ask(9)
  expect(refused.headers).toMatchObject({
    'Retry-After': expect.any(String),
    RateLimit: expect.stringContaining('r=0'),
  })
})

test('an image that costs more than the whole limit can be had alone', async () => {
  for (const points of [1, 2, 3, 5]) {
    const qr = endpoints(points)
    const first = await send(qr, `/${code}.svg?${points}=${'x'.repeat(680)}`)
    const second = await send(qr, `/${code}.svg`)
    expect([points, first.status, second.status]).toEqual([points, 200, 429])
    expect(first.headers.RateLimit).toContain('r=0')
  }
})

test('tags stand for parameters: where the same ones are drawn in another way, DRAWING in image.ts has to change', async () => {
  const { body } = await send(endpoints(), `/${code}.svg?id=order-1023&amount=12900&strict=true`)
  const hash = createHash('sha256').update(String(body)).digest('hex')
  expect(hash.slice(0, 16)).toBe('8d5cf91724453c2c')
})
