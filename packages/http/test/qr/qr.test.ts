import { createHash } from 'node:crypto'
import { type HttpRequest, type HttpResponse, qrEndpoints } from '@tillkit/http'
import { type PaymentParameters, qrImage } from '@tillkit/qr'
import { describe, expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const qrBaseUrl = 'https://pay.example.com'
const { till, code } = await openTill()
const qr = qrEndpoints(till, { qrBaseUrl, rateLimits: false })
const get = (target: string, headers = {}) => send(qr, target, { headers })
const bytes = (body: string | Uint8Array | null) => Buffer.from(body ?? '')

describe('images', () => {
  test.each([
    ['svg', '', '', 125],
    ['png', '', '', 125],
    ['svg', 'scan_code_size=50', '', 50],
    ['png', 'scan_code_size=500&id=5', '?id=5', 500],
    ['png', 'id=a%20b+c&scan_code_size=300&amount=5&x=%zz&&', '?id=a%20b+c&amount=5&x=%zz&&', 300],
    ['svg', 'a=%3Cscript%3E', '?a=%3Cscript%3E', 125],
  ] as const)('.%s?%s encodes the query as it was', async (type, query, payload, size) => {
    const response = await get(`/${code}.${type}?${query}`)
    expect(response.status).toBe(200)
    const drawing = await qrImage(`https://pay.example.com/qr/${code}${payload}`, { type, size })
    expect(bytes(response.body as string | Uint8Array)).toEqual(bytes(drawing))
    expect(response.headers).toMatchObject({
      'Content-Type': type === 'svg' ? 'image/svg+xml' : 'image/png',
      'Content-Length': String(bytes(drawing).length),
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': expect.stringMatching(/^public, max-age=[1-9]\d*$/),
      ETag: expect.stringMatching(/^"[^"]+"$/),
    })
  })

  test('a slash at the end of the base URL makes no difference', async () => {
    const other = qrEndpoints(till, { qrBaseUrl: `${qrBaseUrl}/` })
    expect((await send(other, `/${code}.svg`)).body).toBe((await get(`/${code}.svg`)).body)
  })

  test.each(['49', '501', '0', '-1', 'x', '', '125.0', '1e2', '%20125', '100&scan_code_size=100'])(
    'scan_code_size=%s is 400',
    async size => {
      for (const type of ['svg', 'png']) {
        const response = await get(`/${code}.${type}?scan_code_size=${size}`)
        expect(response.status).toBe(400)
        expect(parsed(response).message).toContain('scan_code_size')
        expect(response.headers['Access-Control-Allow-Origin']).toBe('*')
      }
    },
  )

  test('a PNG with fewer pixels than modules names the size that works', async () => {
    const query = `extra=${'a'.repeat(600)}`
    const tooSmall = await get(`/${code}.png?scan_code_size=50&${query}`)
    expect(tooSmall.status).toBe(400)
    const [, least] = /^scan_code_size must be at least (\d+)/.exec(parsed(tooSmall).message) ?? []
    expect((await get(`/${code}.png?scan_code_size=${least}&${query}`)).status).toBe(200)
  })

  test('a URL too long for any QR code is 400', async () => {
    expect((await get(`/${code}.svg?extra=${'a'.repeat(8000)}`)).status).toBe(400)
  })

  test('an ETag stands for the bytes, and saves sending them again', async () => {
    const first = await get(`/${code}.png`)
    const tag = first.headers.ETag as string
    expect((await get(`/${code}.png`)).headers.ETag).toBe(tag)
    expect((await get(`/${code}.png?id=5`)).headers.ETag).not.toBe(tag)
    expect((await get(`/${code}.svg`)).headers.ETag).not.toBe(tag)
    for (const known of [tag, `W/${tag}`, '*', `"other", ${tag}`, `"a,b",W/${tag} , "c"`]) {
      const response = await get(`/${code}.png`, { 'if-none-match': known })
      expect([response.status, response.body]).toEqual([304, null])
      expect(response.headers).toMatchObject({ ETag: tag, 'Cache-Control': first.headers['Cache-Control'] })
    }
    for (const other of ['"other"', '', tag.slice(1, -1), `"x${tag.slice(1)}`]) {
      expect((await get(`/${code}.png`, { 'if-none-match': other })).status).toBe(200)
    }
  })
})

test.each([
  '/unknown',
  '/unknown.svg',
  '/unknown.png',
  '/',
  '/a.b',
  '/table-1.gif',
  '/table-1.SVG',
  '/table-1//',
  '/table-1.svg//',
  '/a/b',
  '/%00',
  `/${'a'.repeat(65)}`,
])('%s is 404', async target => {
  const response = await get(`${target}?scan_code_size=x`)
  expect(response.status).toBe(404)
  expect(parsed(response)).toEqual({ message: expect.any(String), code: 'not_found' })
})

test.each(['', '.svg', '.png'])('other methods on /code%s are 405', async extension => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const response = await send(qr, `/${code}${extension}`, { method })
    expect([response.status, response.headers.Allow]).toEqual([405, 'GET, HEAD'])
  }
})

test.each(['', '.svg', '.png'])('a slash at the end of /code%s is fine', async extension => {
  const headers = { 'x-request-id': 'one' }
  const get = await send(qr, `/${code}${extension}?id=5`, { headers })
  expect(get.status).toBe(200)
  expect(await send(qr, `/${code}${extension}/?id=5`, { headers })).toEqual(get)
})

test.each(['', '.svg', '.png'])('HEAD /code%s is GET without the body', async extension => {
  const headers = { 'x-request-id': 'one' }
  const get = await send(qr, `/${code}${extension}`, { headers })
  expect(await send(qr, `/${code}${extension}`, { method: 'HEAD', headers })).toEqual({ ...get, body: null })
})

describe('the page', () => {
  test('says who is to be paid, for what and how much', async () => {
    const { status, headers, body } = await get(`/${code}?id=order+5&amount=123456&strict=true`)
    expect(status).toBe(200)
    expect(headers['Content-Type']).toBe('text/html; charset=utf-8')
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'")
    const style = /<style>(.*)<\/style>/.exec(String(body))?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'`)
    for (const fact of ['Corner Café', 'order 5', '1234.56']) expect(body).toContain(fact)
  })

  test.each([
    ['0', '0.00'],
    ['5', '0.05'],
    ['9007199254740991', '90071992547409.91'],
  ])('%s cents are %s', async (cents, shown) => {
    expect((await get(`/${code}?amount=${cents}`)).body).toContain(`>${shown}<`)
  })

  test('escapes everything, the merchant’s name too', async () => {
    const evil = `"><script>alert('&')</script>`
    const merchant = await till.merchants.create({ name: evil })
    const scanCode = await till.scanCodes.create(merchant.id)
    const { body } = await get(
      `/${scanCode.code}?id=${encodeURIComponent(evil)}&${encodeURIComponent(evil)}=1`,
    )
    expect(body).not.toContain('<script')
    expect(String(body).split('&#60;script&#62;')).toHaveLength(4)
  })

  test.each(['amount=x', 'amount=1&amount=1', 'id=1&id=2', 'id=%00', 'strict=maybe'])(
    '%s is 400',
    async query => {
      const response = await get(`/${code}?${query}`)
      expect(response.status).toBe(400)
      expect(parsed(response).message).toMatch(/^(amount|id|strict) /)
    },
  )
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}=1`).join('&')

/** What `start` takes just so, and what it refuses: it is refused where it is shown. */
test.each([
  [`id=${'%C3%A9'.repeat(255)}`, `id=${'%C3%A9'.repeat(256)}`, 'id must be text of at most 255 characters'],
  [names(50), names(51), 'extra must map up to 50 names'],
  [`a=${'é'.repeat(4095)}`, `a=${'é'.repeat(4096)}`, 'extra must map'],
])(
  'what no payment can be started with is no order to be shown (%#)',
  async (payable, unpayable, problem) => {
    const onScan = vi.fn(() => ({ status: 204, headers: {}, body: null }))
    for (const handler of [qr, qrEndpoints(till, { qrBaseUrl, onScan })]) {
      expect((await send(handler, `/${code}?${payable}`)).status).toBeLessThan(300)
      const refused = await send(handler, `/${code}?${unpayable}`)
      expect(refused.status).toBe(400)
      expect(parsed(refused)).toEqual({
        message: expect.stringContaining(problem),
        code: 'invalid_parameter',
      })
    }
    expect(onScan).toHaveBeenCalledOnce()
    const [[scan]] = onScan.mock.calls as unknown as [[PaymentParameters]]
    expect(await till.payments.start({ ...scan, totalAmount: 0 })).toMatchObject({ status: 'pending' })
  },
)

describe('onScan', () => {
  test('answers in place of the page, with what the URL says', async () => {
    const answer = Object.freeze({ status: 303, headers: Object.freeze({ Location: '/pay' }), body: null })
    const onScan = vi.fn(() => answer)
    const own = qrEndpoints(till, { qrBaseUrl, onScan })
    const response = await send(own, `/${code}?id=5&amount=100&strict=true&table=7`)
    expect(response).toMatchObject(answer)
    expect(onScan).toHaveBeenCalledExactlyOnceWith(
      { scanCode: code, merchantReference: '5', requiredAmount: 100, strict: true, extra: { table: '7' } },
      expect.objectContaining({ query: 'id=5&amount=100&strict=true&table=7', remoteAddress: '203.0.113.7' }),
    )
  })

  test('is not asked for images, unknown codes and URLs that are not valid', async () => {
    const onScan = vi.fn()
    const own = qrEndpoints(till, { qrBaseUrl, onScan })
    await send(own, `/${code}.svg`)
    await send(own, '/unknown')
    await send(own, `/${code}?amount=x`)
    expect(onScan).not.toHaveBeenCalled()
  })

  test('a body gets its length, and none for HEAD, of which it is told', async () => {
    const onScan = vi.fn((_: PaymentParameters, { method }: HttpRequest) => ({
      status: 200,
      headers: { Paid: String(method === 'GET') },
      body: 'Grüße',
    }))
    const own = qrEndpoints(till, { qrBaseUrl, onScan })
    expect(await send(own, `/${code}`)).toMatchObject({
      body: 'Grüße',
      headers: { 'Content-Length': '7', Paid: 'true' },
    })
    expect(await send(own, `/${code}`, { method: 'HEAD' })).toMatchObject({
      body: null,
      headers: { 'Content-Length': '7', Paid: 'false' },
    })
  })

  test('an answer without a body, as JavaScript may give it, has none; one of no kind is a fault', async () => {
    const answering = (answer: object) => () => answer as HttpResponse
    const error = vi.fn()
    const asked = (answer: object) =>
      send(
        qrEndpoints(till, { qrBaseUrl, onScan: answering(answer), logger: { warn: error, error } }),
        `/${code}`,
      )
    expect(await asked({ status: 303, headers: { Location: '/pay' } })).toMatchObject({
      status: 303,
      headers: { Location: '/pay' },
      body: null,
    })
    expect(await asked({ status: 204 })).toMatchObject({ status: 204, body: null })
    expect(error).not.toHaveBeenCalled()
    expect((await asked({ status: 200, headers: {}, body: 5 })).status).toBe(500)
    expect(error).toHaveBeenCalledOnce()
  })

  test('a length that it gives itself, in whatever case, is given once', async () => {
    const onScan = () => ({ status: 200, headers: { 'content-length': '7' }, body: 'Grüße' })
    const { headers } = await send(qrEndpoints(till, { qrBaseUrl, onScan }), `/${code}`)
    expect(Object.keys(headers).filter(name => /^content-length$/i.test(name))).toEqual(['content-length'])
  })
})
