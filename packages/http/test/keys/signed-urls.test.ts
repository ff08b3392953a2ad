import { type PaymentKeys, type QrEndpointsOptions, qrEndpoints } from '@tillkit/http'
import { type PaymentParameters, paymentUrl, qrImage } from '@tillkit/qr'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test, vi } from 'vitest'
import { parsed, send } from '../fixture.ts'

const qrBaseUrl = 'https://pay.example.com'
const key = 'k1-0123456789abcdef0123456789abcdef'
const other = 'k2-0123456789abcdef0123456789abcdef'

async function open(options: Partial<QrEndpointsOptions> = { paymentKeys: [key] }) {
  const clock = { now: new Date('2026-11-20T09:30:00Z') }
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const till = createTill({ storage: memoryStorage(), clock: () => clock.now, rememberSeconds: 0, logger })
  for (const id of ['cafe', 'books']) {
    await till.merchants.create({ id, name: id })
    await till.scanCodes.create(id, { code: `${id}-1` })
  }
  const qr = qrEndpoints(till, { qrBaseUrl, rateLimits: false, ...options })
  const get = (target: string, headers = {}) => send(qr, target, { headers })
  return { clock, logger, till, qr, get }
}

/** The path and query below the mount of what was signed. */
function signed(
  parameters: Partial<PaymentParameters> = {},
  signing: { key?: string; expiresAt?: string } = {},
) {
  const order = { scanCode: 'cafe-1', merchantReference: 'o-1', requiredAmount: 500, strict: true }
  const url = paymentUrl({ qrBaseUrl, ...order, ...parameters }, { key, ...signing })
  return url.slice(`${qrBaseUrl}/qr`.length)
}

function image(target: string, type = 'svg') {
  const [path, query = ''] = target.split('?')
  return `${path}.${type}?scan_code_size=200&${query}`
}

describe('with paymentKeys', () => {
  test('the page, the image and onScan are for signed URLs', async () => {
    const onScan = vi.fn(() => ({ status: 200, headers: {}, body: 'scanned' }))
    const { get } = await open()
    expect((await get(signed())).status).toBe(200)
    expect((await get(signed())).body).toContain('o-1')
    const drawn = await get(image(signed()))
    expect(drawn.body).toBe(await qrImage(`${qrBaseUrl}/qr${signed()}`, { type: 'svg', size: 200 }))
    const own = await open({ paymentKeys: [key], onScan })
    expect((await own.get(signed({ extra: { table: '7' } }))).body).toBe('scanned')
    expect(onScan).toHaveBeenCalledExactlyOnceWith(
      {
        scanCode: 'cafe-1',
        merchantReference: 'o-1',
        requiredAmount: 500,
        strict: true,
        extra: { table: '7' },
      },
      expect.anything(),
    )
  })

  test.each([
    ['no signature', (target: string) => target.replace(/&scan_code_signature=.*/, '')],
    ['another amount', (target: string) => target.replace('amount=500', 'amount=1')],
    ['another order', (target: string) => target.replace('o-1', 'o-2')],
    ['another code', (target: string) => target.replace('cafe', 'books')],
    ['more', (target: string) => `${target}&fbclid=1`],
    ['nothing at all', () => '/cafe-1'],
    ['nothing but a size', () => '/cafe-1?scan_code_size=200'],
    ['a signature of another key', () => signed({}, { key: other })],
  ])('%s is 400: no page, no image, no scan', async (_, change) => {
    const onScan = vi.fn()
    const target = change(signed())
    for (const { get } of [await open(), await open({ paymentKeys: [key], onScan })]) {
      for (const path of [target, image(target), image(target, 'png')]) {
        const response = await get(path, { 'if-none-match': '*' })
        expect(response.status).toBe(400)
        expect(parsed(response)).toEqual({
          code: 'invalid_parameter',
          message: expect.stringMatching(/^scan_code_signature must /),
        })
      }
      const drawn = await get(image(target))
      expect(drawn.headers['Access-Control-Allow-Origin']).toBe('*')
    }
    expect(onScan).not.toHaveBeenCalled()
  })

  test('HEAD tells no more than GET', async () => {
    const { qr } = await open()
    expect((await send(qr, '/cafe-1?id=o-1', { method: 'HEAD' })).status).toBe(400)
    expect((await send(qr, signed(), { method: 'HEAD' })).status).toBe(200)
  })

  test('an unknown code is 404, and another fault is named', async () => {
    const { get } = await open()
    expect((await get(signed({ scanCode: 'nobody' }))).status).toBe(404)
    expect(parsed(await get('/cafe-1?amount=x')).message).toMatch(/^amount must/)
  })

  test('an image of an unsigned URL costs no drawing', async () => {
    const perAddress = new RateLimiterMemory({ points: 100, duration: 60 })
    const { get } = await open({ paymentKeys: [key], rateLimits: { perAddress } })
    expect((await get('/cafe-1.svg?id=o-1')).headers.RateLimit).toContain('r=99')
    expect((await get(image(signed()))).headers.RateLimit).toContain('r=96')
  })

  test('bare codes are taken where that is said', async () => {
    const { get } = await open({ paymentKeys: [key], bareCodes: 'accepted' })
    for (const target of ['/cafe-1', '/cafe-1.svg', '/cafe-1.png?scan_code_size=200'])
      expect((await get(target)).status).toBe(200)
    for (const target of ['/cafe-1?id=o-1', '/cafe-1.svg?amount=1', '/cafe-1?strict=false'])
      expect((await get(target)).status).toBe(400)
  })

  test('a URL ends by the clock of the till', async () => {
    const { clock, get } = await open()
    const target = signed({}, { expiresAt: '2026-11-20T09:31:00Z' })
    expect((await get(target)).status).toBe(200)
    clock.now = new Date('2026-11-20T09:31:00Z')
    for (const path of [target, image(target)]) {
      expect(parsed(await get(path))).toEqual({
        code: 'invalid_parameter',
        message: 'scan_code_expires must not be over: this payment URL has ended',
      })
    }
  })

  test('without paymentKeys a signature is no part of what was scanned', async () => {
    const onScan = vi.fn(() => ({ status: 200, headers: {}, body: null }))
    const { get } = await open({ onScan })
    await get(signed({}, { expiresAt: '2026-11-20T09:00:00Z' }))
    expect(onScan.mock.calls[0]?.slice(0, 1)).toEqual([
      { scanCode: 'cafe-1', merchantReference: 'o-1', requiredAmount: 500, strict: true },
    ])
  })
})

test('the keys are those of the start, whatever becomes of the list', async () => {
  const paymentKeys = [key]
  const { get } = await open({ paymentKeys })
  paymentKeys.push('short')
  expect((await get(signed())).status).toBe(200)
  paymentKeys[0] = other
  expect((await get(signed())).status).toBe(200)
  expect((await get(signed({}, { key: other }))).status).toBe(400)
})

describe('keys of each merchant', () => {
  const keys: Record<string, string[] | null> = { cafe: [key], books: [other, key.replace('k1', 'k3')] }

  test('sign for that merchant alone', async () => {
    const paymentKeys = vi.fn(async (_: string, merchantId: string) => keys[merchantId] ?? null)
    const { get } = await open({ paymentKeys })
    expect((await get(signed())).status).toBe(200)
    expect(paymentKeys).toHaveBeenCalledExactlyOnceWith('cafe-1', 'cafe')
    expect((await get(signed({}, { key: other }))).status).toBe(400)
    expect((await get(signed({ scanCode: 'books-1' }, { key: other }))).status).toBe(200)
    expect((await get(signed({ scanCode: 'books-1' }))).status).toBe(400)
  })

  test('null takes unsigned URLs, an empty list none', async () => {
    const { get } = await open({ paymentKeys: (_, id) => (id === 'cafe' ? null : []) })
    expect((await get('/cafe-1?id=o-1')).status).toBe(200)
    expect((await get('/cafe-1.svg')).status).toBe(200)
    expect((await get('/books-1?id=o-1')).status).toBe(400)
    expect((await get(signed({ scanCode: 'books-1' }))).status).toBe(400)
  })

  test.each([
    ['undefined', () => undefined],
    ['a string', () => key],
    ['a short key', () => [key, 'hunter2']],
    ['true', () => true],
    ['an error', () => Promise.reject(new Error('vault: hunter2'))],
  ])('%s takes no URL: a fault of the host, which is logged and masked', async (_, paymentKeys) => {
    const { get, logger } = await open({ paymentKeys: paymentKeys as unknown as PaymentKeys })
    for (const target of [signed(), image(signed()), '/cafe-1', '/cafe-1?id=o-1']) {
      const response = await get(target)
      expect([response.status, parsed(response).code]).toEqual([500, 'internal'])
      expect(String(response.body)).not.toContain('hunter2')
    }
    expect(logger.error).toHaveBeenCalledTimes(4)
  })
})

test.each([
  [{ paymentKeys: undefined }, 'paymentKeys must not be undefined'],
  [{ paymentKeys: null }, 'paymentKeys must be a list of keys'],
  [{ paymentKeys: [] }, 'paymentKeys must be a list of keys with one at least'],
  [{ paymentKeys: key }, 'paymentKeys must be a list of keys'],
  [{ paymentKeys: ['short'] }, 'paymentKeys.0 must be 32 to 256'],
  [{ paymentKeys: [key, undefined] }, 'paymentKeys.1 must be 32 to 256'],
  [{ paymentKeys: Array(11).fill(key) }, 'paymentKeys must be a list of at most 10'],
  [{ paymentKeys: [key], bareCodes: true }, "bareCodes must be 'signed' or 'accepted'"],
  [{ bareCodes: 'accepted' }, 'bareCodes needs paymentKeys'],
  [{ bareCodes: 'signed' }, 'bareCodes needs paymentKeys'],
])('%j is refused at once', async (options, message) => {
  await expect(open(options as QrEndpointsOptions)).rejects.toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(message) }),
  )
})
