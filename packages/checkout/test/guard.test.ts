import fc from 'fast-check'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test, vi } from 'vitest'
import { openShop, send, stateOf } from './shop.ts'

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

describe('nothing from outside becomes part of the page', () => {
  test('whatever the URL, the account and the customer say', async () => {
    const { customer, till } = await openShop()
    await till.merchants.update('cafe', { name: HOSTILE })
    const query = `id=${encodeURIComponent(HOSTILE)}&${encodeURIComponent(HOSTILE)}=${encodeURIComponent(HOSTILE)}`
    const { target, page } = await customer.open(`/table-1?${query}`)
    const again = await customer.press(target, {
      amount: HOSTILE,
      tip: HOSTILE,
      reference: HOSTILE,
      total: HOSTILE,
    })
    const paid = await customer.press(target, { amount: '5', total: '500', reference: HOSTILE })
    const wrong = await customer.open(`/table-1?amount=${encodeURIComponent(HOSTILE)}`)
    for (const shown of [page, again.page, paid.page, wrong.page]) {
      expect(shown).not.toMatch(/<script>|<img|alert\(1\)<|onerror=alert\(1\)>/)
      expect(shown).not.toContain(HOSTILE)
    }
    expect(stateOf(paid.page)).toBe('completed')
  })

  test('any text at all leaves the elements of the page as they are', async () => {
    const { customer } = await openShop()
    const elements = (page: string) => page.match(/<[a-z/][^\s>]*/gi)
    const known = elements((await customer.open('/shelf?id=x&amount=5')).page)
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), async text => {
        fc.pre(!text.includes('\0') && text.trim() !== '')
        const { page } = await customer.open(`/shelf?id=${encodeURIComponent(text)}&amount=5`)
        expect(elements(page)).toEqual(known)
      }),
      { numRuns: 200 },
    )
  })
})

describe('headers', () => {
  test('of every page: no inline script, no frame, nothing kept, nothing told to other sites', async () => {
    const { customer, checkout } = await openShop()
    const { target, response } = await customer.open('/shelf?amount=500')
    const paid = await customer.pay('/shelf?amount=500')
    const redirect = await send(checkout.handler, '/shelf?amount=500')
    const missing = await customer.open('/nobody')
    for (const { headers } of [response, paid.response, redirect, missing.response]) {
      const policy = headers['Content-Security-Policy'] ?? ''
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self';/)
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      for (const directive of ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
        expect(policy).toContain(directive)
      }
      expect(headers).toMatchObject({
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'same-origin',
      })
    }
    expect(target).toMatch(/^\/shelf\/pay\//)
  })

  test('the page has no inline script, no handler and no style attribute', async () => {
    const { customer } = await openShop()
    const { page } = await customer.open('/table-1')
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/ on[a-z]+=| style=|javascript:/)
  })

  test('the script is served under the name that the page has, and under no other', async () => {
    const { customer, checkout } = await openShop()
    const { page } = await customer.open('/table-1')
    const name = /src="\.\.\/\.\.(\/checkout-[0-9a-f]{16}\.js)"/.exec(page)?.[1] ?? ''
    const script = await send(checkout.handler, name)
    expect(script.status).toBe(200)
    expect(script.headers).toMatchObject({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
    expect((await send(checkout.handler, '/checkout-0000000000000000.js')).status).toBe(404)
  })
})

describe('no open redirect', () => {
  test.each([
    '/shelf?amount=5&next=https://evil.example',
    '/shelf?//evil.example',
    '/shelf?https://evil.example/\\@x',
    '/shelf?a=\r\nSet-Cookie: x=1',
    '/shelf?a=é\u2028',
    '/shelf?a=\ud800',
    '/-?amount=5',
  ])('%j leads below its own code', async target => {
    const { checkout, till } = await openShop()
    await till.scanCodes.create('books', { code: '-' })
    const { status, headers } = await send(checkout.handler, target)
    expect(status).toBe(303)
    expect(headers.Location).toMatch(/^(?:shelf|-)\/pay\/[A-Za-z0-9_-]{48}\?[!-~]*$/)
    const url = new URL(headers.Location ?? '', 'https://pay.example.com/qr/shelf')
    expect(url.href).toMatch(/^https:\/\/pay\.example\.com\/qr\/(?:shelf|-)\/pay\//)
  })

  test('and the press leads to the attempt itself', async () => {
    const { customer, checkout } = await openShop()
    const { target } = await customer.open('/shelf?amount=500&u=//evil.example')
    const sent = { form: { total: '500' }, cookie: customer.cookie() }
    const { status, headers } = await send(checkout.handler, target, sent)
    expect(status).toBe(303)
    expect(headers.Location).toBe(target.replace('/shelf/pay/', ''))
  })
})

describe('codes and addresses', () => {
  test('an unknown code, one that is not taken, and any other path look alike', async () => {
    const { checkout } = await openShop({ accepts: code => code !== 'table-1' })
    const headers = { 'x-request-id': 'one' }
    const answers = await Promise.all(
      [
        ...[
          '/nobody',
          '/table-1',
          '/table-1?amount=x',
          '/nobody?amount=5',
          '/',
          '//',
          '/shelf//',
          '/a.b',
          '/shelf/pay',
        ],
        ...['/shelf/pay/short', '/nobody/pay/AAAAAAAAAAAAAAAAAAAAAA', '/table-1/pay/AAAAAAAAAAAAAAAAAAAAAA'],
        ...['/%2e%2e/shelf', '/shelf/pay/AAAAAAAAAAAAAAAAAAAAAA/x', `/${'x'.repeat(65)}`],
      ].map(path => send(checkout.handler, path, { headers })),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(404)
    const pressed = ['nobody', 'table-1'].map(code =>
      send(checkout.handler, `/${code}/pay/AAAAAAAAAAAAAAAAAAAAAA`, { form: { total: '5' }, headers }),
    )
    for (const answer of await Promise.all(pressed)) expect(answer).toEqual(answers[0])
    const images = ['nobody', 'table-1'].map(code => send(checkout.handler, `/${code}.svg`, { headers }))
    const [none, closed] = await Promise.all(images)
    expect(none?.status).toBe(404)
    expect(closed).toEqual(none)
  })

  test('who paid on a code before it was switched off still sees the outcome', async () => {
    let open = true
    const { customer, processor } = await openShop({ accepts: () => open })
    const { target } = await customer.pay('/shelf?amount=500')
    open = false
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
    expect(stateOf((await customer.press(target, { total: '500' })).page)).toBe('completed')
    expect((await customer.open('/shelf?amount=500')).response.status).toBe(404)
    expect(processor.charged).toHaveLength(1)
  })

  test('an attempt has 128 random bits, and belongs to its code', async () => {
    const { customer, till } = await openShop()
    await till.scanCodes.create('books', { code: 'shelf-2' })
    const { target } = await customer.pay('/shelf?amount=500')
    const seen = new Set<string>()
    for (let scans = 0; scans < 200; scans++) seen.add((await customer.open('/shelf')).target)
    expect(seen.size).toBe(200)
    for (const other of ['/shelf-2', '/table-1']) {
      expect(stateOf((await customer.open(target.replace('/shelf', other))).page)).toBe('pay')
    }
  })

  test('the result tells nothing of other payments: no number, no other order', async () => {
    const clock = () => new Date('2026-11-20T09:30:00Z') // the page shows it: at :42 it would look like the number
    const { customer, processor } = await openShop({}, { clock })
    for (let n = 0; n < 41; n++) await customer.pay(`/shelf?amount=500&id=other-${n}`)
    const { page } = await customer.pay('/shelf?amount=600&id=mine')
    const body = page.slice(page.indexOf('<main')).replace(processor.charged.at(-1)?.authCode ?? '', '')
    expect(body).not.toMatch(/other|\b42\b/)
  })
})

describe('requests that are not a customer’s', () => {
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', host: 'pay.example.com' },
  ])('a press from elsewhere, %j, shows the page and charges nothing', async headers => {
    const { customer, checkout, processor } = await openShop()
    const { target } = await customer.open('/shelf?amount=500')
    const cookie = customer.cookie()
    const answer = await send(checkout.handler, target, { form: { total: '500' }, headers, cookie })
    expect([answer.status, stateOf(String(answer.body))]).toEqual([403, 'pay'])
    expect(processor.charged).toEqual([])
  })

  test.each([
    {},
    { origin: 'https://pay.example.com' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://192.168.1.5:8787', host: '192.168.1.5:8787' },
  ])('one from the page itself, %j, pays', async headers => {
    const { customer, checkout, processor } = await openShop()
    const { target } = await customer.open('/shelf?amount=500')
    const cookie = customer.cookie()
    await send(checkout.handler, target, { form: { total: '500' }, headers, cookie })
    expect(processor.charged).toHaveLength(1)
  })

  test('plain HTTP is refused, for images too', async () => {
    const { checkout, processor } = await openShop()
    for (const path of ['/shelf', '/shelf.svg', '/shelf/pay/AAAAAAAAAAAAAAAAAAAAAA']) {
      expect((await send(checkout.handler, path, { secure: false })).status).toBe(403)
    }
    const form = { total: '500', amount: '5' }
    await send(checkout.handler, '/shelf/pay/AAAAAAAAAAAAAAAAAAAAAA', { form, secure: false })
    expect(processor.charged).toEqual([])
  })

  test.each([
    ['DELETE', '/shelf', 'GET, HEAD'],
    ['POST', '/shelf', 'GET, HEAD'],
    ['PUT', '/shelf/pay/AAAAAAAAAAAAAAAAAAAAAA', 'GET, HEAD, POST'],
  ])('%s %s is 405', async (method, path, allow) => {
    const { checkout } = await openShop()
    const answer = await send(checkout.handler, path, { method })
    expect([answer.status, answer.headers.Allow]).toEqual([405, allow])
  })

  test('presses are limited by address, apart from looking', async () => {
    const payments = new RateLimiterMemory({ points: 2, duration: 60 })
    const { checkout, processor, customer } = await openShop({ rateLimits: { payments } })
    const press = async (remoteAddress: string) => {
      const { target } = await customer.open('/shelf?amount=500')
      return send(checkout.handler, target, {
        form: { total: '500' },
        cookie: customer.cookie(),
        remoteAddress,
      })
    }
    const answers = [await press('203.0.113.7'), await press('203.0.113.7'), await press('203.0.113.7')]
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 429])
    expect(answers[2]?.headers['Retry-After']).toMatch(/^[1-9]\d*$/)
    expect(answers[2]?.headers['Content-Type']).toContain('text/html')
    expect((await press('203.0.113.8')).status).toBe(303)
    expect(processor.charged).toHaveLength(3)
  })

  test('everything is limited by address', async () => {
    const perAddress = new RateLimiterMemory({ points: 3, duration: 60 })
    const { checkout } = await openShop({ rateLimits: { perAddress } })
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await send(checkout.handler, '/nobody')).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })

  test('a fault is masked, logged without a header, and says that nobody is charged twice', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, till } = await openShop({ logger })
    vi.spyOn(till.scanCodes, 'get').mockRejectedValue(new Error('password=hunter2'))
    const { response, page } = await customer.open('/shelf')
    expect(response.status).toBe(500)
    expect(page).not.toContain('hunter2')
    expect(page).toContain('You will not be charged twice.')
    expect(logger.error.mock.calls).toMatchObject([
      [
        { requestId: expect.any(String), err: expect.any(Error), method: 'GET', path: '/shelf' },
        'request failed',
      ],
    ])
  })
})

test('images of QR codes are served beside the page', async () => {
  const { checkout } = await openShop()
  const image = await send(checkout.handler, '/shelf.svg?amount=500&scan_code_size=200')
  expect(image.status).toBe(200)
  expect(String(image.body)).toContain('https://pay.example.com/qr/shelf?amount=500')
  expect((await send(checkout.handler, '/nobody.png')).status).toBe(404)
})
