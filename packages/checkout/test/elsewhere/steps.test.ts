import { type ChargeOutcome, createCharger, english, idempotencyKey } from '@tillkit/checkout'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { openShop, send, stateOf } from '../shop.ts'

const form = { total: '1850' }

async function answered(answer: unknown, https: 'required' | 'off' = 'required') {
  const logger = { warn: vi.fn(), error: vi.fn() }
  const { customer, processor, checkout } = await openShop({ https, logger })
  processor.answer = () => answer as ChargeOutcome
  const { page, response } = await customer.pay('/shelf?amount=1850')
  await checkout.close()
  return { page, response, state: stateOf(page), logger, customer }
}

describe('where a customer may be sent', () => {
  test.each([
    'http://bank.example/confirm',
    'http://127.0.0.1:4000/confirm',
    'javascript:alert(1)',
    'data:text/html,hello',
    'bank-app://confirm',
    '/confirm',
    '//bank.example/confirm',
    '',
    `https://bank.example/${'x'.repeat(8192)}`,
    'https://pay.example.com:secret@bank.example/',
    'https://:secret@bank.example/',
    undefined,
    null,
    7,
    {},
  ])('not to %j: the outcome is unknown, and the host hears why', async url => {
    for (const answer of [
      { status: 'redirect', url },
      { status: 'action', url, fields: {} },
    ]) {
      const { state, page, logger } = await answered(answer)
      expect(state).toBe('pending')
      expect(page).not.toMatch(/data-go|bank\.example|bank-app|javascript|data:/)
      const [[facts]] = logger.warn.mock.calls as [[{ err: Error }]]
      expect(facts.err.message).toMatch(/^the url of a step must/)
    }
  })

  test.each([
    ['http://127.0.0.1:4000/confirm', 'step'],
    ['http://[::1]:4000/confirm', 'step'],
    ['http://bank.localhost/confirm', 'step'],
    ['https://bank.example/confirm', 'step'],
    ['http://bank.example/confirm', 'pending'],
    ['http://127.0.0.1.example/confirm', 'pending'],
    ['http://localhost.example/', 'pending'],
  ])('with https off, for local work, %s: %s', async (url, state) => {
    expect((await answered({ status: 'redirect', url }, 'off')).state).toBe(state)
  })

  test.each([
    [undefined],
    [null],
    ['a=1'],
    [[['a', '1']]],
    [{ a: 1 }],
    [{ a: null }],
    [{ '': 'x' }],
    [Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`f${n}`, '']))],
    [{ a: 'x'.repeat(32 * 1024) }],
  ])('not with these fields: %j', async fields => {
    expect((await answered({ status: 'action', url: 'https://acs.example/', fields })).state).toBe('pending')
  })

  test('any https address and any fields come to the page as they are, and change no element of it', async () => {
    const { customer, processor } = await openShop()
    const elements = (page: string) => page.match(/<[a-z/][^\s>]*/gi)
    processor.answer = () => ({ status: 'action', url: 'https://acs.example/', fields: { a: 'b' } })
    const known = elements((await customer.pay('/shelf?amount=1850')).page)
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        text,
        text,
        async (url, name, value) => {
          const secure = url.replace(/^http:/, 'https:')
          processor.answer = () => ({ status: 'action', url: secure, fields: { [name]: value } })
          const { page, response } = await customer.pay('/shelf?amount=1850')
          expect(elements(page)).toEqual(known)
          expect(response.headers['Content-Security-Policy']).toContain(
            `form-action ${new URL(secure).origin};`,
          )
          expect(unescaped(page)).toContain(`action="${new URL(secure).href}"`)
          expect(unescaped(page)).toContain(`name="${name}" value="${value}"`)
        },
      ),
      { numRuns: 100 },
    )
  })
})

function unescaped(page: string): string {
  return page.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

describe('the way back', () => {
  const attempt = 'A'.repeat(48)

  test('leads to the attempt below its own code, whatever it is made of', async () => {
    const { checkout } = await openShop()
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('GET', 'HEAD', 'POST'),
        async (bytes, method) => {
          const packed = Buffer.from(bytes).toString('base64url')
          const path = `/shelf/pay/${attempt}/back${packed && `/${packed}`}`
          const { status, headers } = await send(checkout.handler, path, { method, headers: {} })
          expect(status).toBe(303)
          const { Location = '' } = headers
          expect(Location).toMatch(/^[!-~]+$/)
          const url = new URL(Location, `https://pay.example.com/qr${path}`)
          expect([url.origin, url.pathname]).toEqual(['https://pay.example.com', `/qr/shelf/pay/${attempt}`])
        },
      ),
    )
  })

  test.each(['//evil.example', 'https://evil.example', '\r\nSet-Cookie: a=b', '#x', '?', '../../x'])(
    'with %j for a query',
    async query => {
      const { checkout } = await openShop()
      const path = `/shelf/pay/${attempt}/back/${Buffer.from(query).toString('base64url')}`
      const { headers } = await send(checkout.handler, path)
      const url = new URL(headers.Location ?? '', `https://pay.example.com/qr${path}`)
      expect([url.origin, url.pathname]).toEqual(['https://pay.example.com', `/qr/shelf/pay/${attempt}`])
    },
  )

  test('costs no read of the storage, and takes no other method', async () => {
    const { checkout, till } = await openShop()
    const reads = vi.spyOn(till.scanCodes, 'get')
    expect((await send(checkout.handler, `/nobody/pay/${attempt}/back`)).status).toBe(303)
    expect(reads).not.toHaveBeenCalled()
    expect((await send(checkout.handler, `/shelf/pay/${attempt}/back`, { method: 'PUT' })).status).toBe(405)
    for (const path of ['back', 'back/', 'back/a.b', 'back/a/b', 'backs']) {
      const { status } = await send(checkout.handler, `/shelf/pay/${attempt}/${path}`)
      expect(status).toBe(path === 'back' ? 303 : 404)
    }
  })
})

test('a page of the host’s own asks how a payment stands', async () => {
  const { till, processor } = await openShop()
  const lookup = vi.fn(() => ({ status: 'completed' as const }))
  const charger = createCharger(till, { ...processor, lookup })
  processor.answer = () => ({ status: 'redirect', url: 'https://bank.example/confirm' })
  const context = { merchant: (await till.merchants.get('books')) as never, fields: {}, request: {} as never }
  const attempt = { scanCode: 'shelf', totalAmount: 500, attemptKey: 'a' }
  const { payment } = await charger.payOnce(attempt, { ...context, returnUrl: 'https://shop.example/back' })
  expect(processor.contexts[0]).toMatchObject({
    returnUrl: 'https://shop.example/back',
    idempotencyKey: idempotencyKey(payment),
  })
  expect(await charger.standing(payment)).toEqual({
    payment,
    step: { status: 'redirect', url: 'https://bank.example/confirm' },
    disputed: false,
  })
  expect(lookup).not.toHaveBeenCalled()
  expect(await charger.standing(payment)).toMatchObject({ payment: { status: 'completed' }, step: null })
  await charger.close()
})

test('names of payments tell merchants, numbers and dates apart, and are fit for any processor', () => {
  const merchantId = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/)
  const key = fc.record({
    merchantId,
    id: fc.integer({ min: 1, max: 2 ** 53 - 1 }),
    seconds: fc.integer({ min: 0, max: 4e9 }),
  })
  const nameOf = ({ merchantId, id, seconds }: { merchantId: string; id: number; seconds: number }) =>
    idempotencyKey({ merchantId, id, date: new Date(seconds * 1000).toISOString().replace('.000', '') })
  fc.assert(
    fc.property(key, key, (one, other) => {
      expect(nameOf(one)).toMatch(/^[A-Za-z0-9_.:-]{1,94}$/)
      expect(nameOf(one) === nameOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})

test('all texts of a step may be the host’s own', async () => {
  const texts = { step: 'Bevestig', stepMore: 'Bij uw bank.', stepGo: 'Verder' }
  const { customer, processor } = await openShop({ texts })
  processor.answer = () => ({ status: 'redirect', url: 'https://bank.example/confirm' })
  const { page, target } = await customer.pay('/shelf?amount=1850')
  for (const text of Object.values(texts)) expect(page).toContain(text)
  expect(page).not.toContain(english.stepGo)
  const again = await customer.press(target, form)
  expect(stateOf(again.page)).toBe('step')
  expect(processor.charged).toHaveLength(1)
})
