import { describe, expect, test } from 'vitest'
import { openDesk, type Sent, send } from './desk.ts'

describe('who is let in', () => {
  test('nobody, where authorize says null: no page, and no file but the style and the script', async () => {
    const { handler } = await openDesk()
    for (const path of ['/home', '/merchants', '/m-cafe/payments', '/today', '/nothing']) {
      const { status, headers, body } = await send(handler, path)
      expect([path, status, headers['WWW-Authenticate']]).toEqual([path, 403, undefined])
      expect(String(body)).not.toMatch(/Corner|cafe/)
    }
  })

  test('with a challenge the answer is 401, and a loginUrl is led to', async () => {
    const { handler } = await openDesk({ challenge: 'Basic realm="Console"', loginUrl: '/login?to=console' })
    const { status, headers, body } = await send(handler, '/merchants')
    expect([status, headers['WWW-Authenticate']]).toEqual([401, 'Basic realm="Console"'])
    expect(String(body)).toContain('<a href="/login?to=console">Sign in</a>')
  })

  test('an answer of authorize that is none lets nobody in, and is logged', async () => {
    for (const answer of [undefined, true, {}, { name: '' }, { name: 'Eve', permissions: ['fly'] }, 'Eve']) {
      const { handler, logged } = await openDesk({ authorize: () => answer as never })
      const { status, body } = await send(handler, '/merchants')
      expect([status, String(body).includes('Corner')]).toEqual([500, false])
      expect(logged.map(({ message }) => message)).toEqual(['request failed'])
    }
  })

  test('what authorize throws is masked', async () => {
    const { handler, logged } = await openDesk({
      authorize: () => {
        throw new Error('the directory is at 10.0.0.5')
      },
    })
    const { status, body, headers } = await send(handler, '/merchants')
    expect([status, String(body).includes('10.0.0.5')]).toEqual([500, false])
    expect(String(body)).toContain(headers['X-Request-Id'])
    expect(logged).toHaveLength(1)
  })

  test('plain HTTP is refused, unless it is off', async () => {
    const { browse } = await openDesk()
    expect((await browse().open('/merchants', { secure: false })).status).toBe(403)
    const local = await openDesk({ https: 'off' })
    expect((await local.browse().open('/merchants', { secure: false })).status).toBe(200)
  })

  test('an address that asks too often is told to wait', async () => {
    const { browse } = await openDesk({ rateLimits: {} })
    const browser = browse()
    const answers = await Promise.all(Array.from({ length: 60 }, () => browser.open('/merchants')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.response.headers['Retry-After']).toBeDefined()
    expect(refused[0]?.page).toContain('Too many requests')
  })
})

describe('a form', () => {
  const suspended = async ({ till }: Awaited<ReturnType<typeof openDesk>>) =>
    (await till.merchants.get('cafe'))?.suspendedAt !== null

  const strangers: [who: string, sent: Sent][] = [
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a sibling of the host', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['nowhere that it says', { headers: { 'sec-fetch-site': undefined as never } }],
    ['another origin', { headers: { 'sec-fetch-site': undefined as never, origin: 'https://evil.example' } }],
    ['an opaque origin', { headers: { 'sec-fetch-site': undefined as never, origin: 'null' } }],
    ['a browser without its cookie', { headers: { cookie: '' } }],
    ['a browser with another cookie', { headers: { cookie: `__Host-tillkit-console=${'A'.repeat(22)}` } }],
  ]
  for (const [who, sent] of strangers) {
    test(`sent from ${who} does nothing`, async () => {
      const desk = await openDesk()
      const browser = desk.browse()
      const seen = await browser.open('/m-cafe/account')
      const { status } = await browser.press(seen, browser.formOf(seen, 'suspend'), sent)
      expect([status, await suspended(desk)]).toEqual([403, false])
      expect(desk.actions).toEqual([])
    })
  }

  test('of somebody else, taken over into another session, does nothing', async () => {
    const desk = await openDesk()
    const [ada, bob] = [desk.browse(), desk.browse({ name: 'Bob', permissions: ['read', 'merchants'] })]
    const seen = await ada.open('/m-cafe/account')
    await bob.open('/m-cafe/account')
    const { status } = await bob.press(seen, ada.formOf(seen, 'suspend'))
    expect([status, await suspended(desk)]).toEqual([403, false])
  })

  test('without Sec-Fetch-Site, from its own origin, does its work', async () => {
    const desk = await openDesk()
    const browser = desk.browse()
    const seen = await browser.open('/m-cafe/account')
    const headers = { 'sec-fetch-site': undefined as never, origin: 'https://pay.example.com' }
    const { page } = await browser.press(seen, browser.formOf(seen, 'suspend'), { headers })
    expect([page.includes('The merchant is suspended.'), await suspended(desk)]).toEqual([true, true])
  })

  test('that is sent twice does its work once', async () => {
    const desk = await openDesk()
    const browser = desk.browse()
    const seen = await browser.open('/m-cafe/account')
    const form = browser.formOf(seen, 'issueKey')
    const answers = await Promise.all([browser.press(seen, form), browser.press(seen, form)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await desk.till.apiKeys.list('cafe')).toHaveLength(1)
  })

  test('too large, or of another kind, is refused', async () => {
    const { browse } = await openDesk()
    const browser = browse()
    const seen = await browser.open('/m-cafe/account')
    const many = new URLSearchParams(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, ''])))
    expect((await browser.press(seen, many)).status).toBe(400)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await browser.press(seen, new URLSearchParams({ a: 'b' }), { headers })).status).toBe(400)
  })
})

test('every page has the headers that guard it, and the files have names of their own', async () => {
  const { browse } = await openDesk()
  const browser = browse()
  const { response, page } = await browser.open('/m-cafe/account')
  const policy = response.headers['Content-Security-Policy'] ?? ''
  expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(response.headers).toMatchObject({
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
  })
  expect(page).not.toMatch(/ style="|<style|<script>|\son\w+=/)
  for (const [, file = ''] of page.matchAll(/(?:href|src)="\.\.(\/assets\/[^"]+)"/g)) {
    const first = await browser.open(file)
    expect([first.status, first.response.headers['Cache-Control']]).toEqual([
      200,
      expect.stringContaining('immutable'),
    ])
    const headers = { 'if-none-match': first.response.headers.ETag ?? '' }
    expect((await browser.open(file, { headers })).status).toBe(304)
  }
})
