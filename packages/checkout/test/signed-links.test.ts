import { type CheckoutOptions, english, findScan, newAttempt } from '@tillkit/checkout'
import { type PaymentParameters, parsePaymentUrl, paymentUrl, qrImage } from '@tillkit/qr'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { customerOf, openShop, QR_BASE_URL, send, stateOf, totalShown } from './shop.ts'

const key = 'k1-0123456789abcdef0123456789abcdef'
const other = 'k2-0123456789abcdef0123456789abcdef'
const ORDER = { scanCode: 'shelf', merchantReference: 'o-1', requiredAmount: 500, strict: true }

async function open(options: Partial<CheckoutOptions> = {}) {
  const clock = { now: new Date('2026-11-20T09:30:00Z') }
  const shop = await openShop({ paymentKeys: [key], ...options }, { clock: () => clock.now, logger: false })
  return { ...shop, clock }
}

/** The path and query below the mount of what was signed. */
function signed(
  parameters: Partial<PaymentParameters> = {},
  signing: { key?: string; expiresAt?: string } = {},
) {
  const url = paymentUrl({ qrBaseUrl: QR_BASE_URL, ...ORDER, ...parameters }, { key, ...signing })
  return url.slice(`${QR_BASE_URL}/qr`.length)
}

const changes: [string, (target: string) => string][] = [
  ['no signature', target => target.replace(/&scan_code_signature=.*/, '')],
  ['another amount', target => target.replace('amount=500', 'amount=1')],
  ['another order', target => target.replace('o-1', 'o-2')],
  ['no strict', target => target.replace('&strict=true', '')],
  ['another code', target => target.replace('shelf', 'table-1')],
  ['more', target => `${target}&fbclid=1`],
  ['nothing but the code', () => '/shelf'],
]

describe('with paymentKeys', () => {
  test('a signed link is shown and paid as ever, and its signature is no part of the payment', async () => {
    const { customer, processor } = await open()
    const { page, target, response } = await customer.pay(signed({ extra: { shelf: '3' } }))
    expect(response.status).toBe(200)
    expect(stateOf(page)).toBe('completed')
    expect(processor.charged).toMatchObject([
      { merchantReference: 'o-1', requiredAmount: 500, totalAmount: 500, extra: { shelf: '3' } },
    ])
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
  })

  test.each(changes)(
    '%s: the page says that the link is not right, and nothing is charged',
    async (_, change) => {
      const texts = { wrongLinks: { signature: '⟦signature⟧' } }
      const { till, customer, processor } = await open({ texts })
      const right = await customer.open(signed())
      const [attempt] = right.target.split('/').at(-1)?.split('?') ?? []
      const wrong = change(signed())
      const query = wrong.split('?')[1] ?? ''
      const [, code = ''] = /^\/([\w-]+)/.exec(wrong) ?? []
      // Whoever knows the code of this package makes names of attempts for his own browser.
      const secret = customer.cookie()?.split('=')[1] ?? ''
      const made = newAttempt(parsePaymentUrl(wrong), { secret })
      for (const target of [wrong, `/${code}/pay/${attempt}?${query}`, `/${code}/pay/${made}?${query}`]) {
        const { response, page } = await customer.open(target)
        expect([target, response.status, stateOf(page)]).toEqual([target, 400, 'message'])
        expect(page).toContain(`<h1>${english.wrongLink}</h1>`)
        expect(page).toContain('<p>⟦signature⟧</p>')
        if (!target.includes('/pay/')) continue
        const pressed = await customer.press(target, { total: '1', amount: '0.01' })
        expect([pressed.response.status, stateOf(pressed.page)]).toEqual([400, 'message'])
        const foreign = await send((await open()).checkout.handler, target, {
          form: {},
          headers: { origin: 'https://evil.example' },
        })
        expect(foreign.status).toBe(400)
      }
      const image = await customer.open(`/${code}.svg?${query}`)
      expect(image.response.status).toBe(400)
      expect(processor.charged).toEqual([])
      for (const id of ['books', 'cafe']) expect((await till.payments.list(id)).total).toBe(0)
    },
  )

  test('the image of a signed link is drawn', async () => {
    const { checkout } = await open()
    const { status, body } = await send(checkout.handler, signed().replace('?', '.svg?scan_code_size=200&'))
    expect(status).toBe(200)
    expect(body).toBe(await qrImage(`${QR_BASE_URL}/qr${signed()}`, { type: 'svg', size: 200 }))
  })

  test('bare codes are taken where that is said, and nothing else that is unsigned', async () => {
    const { customer, processor } = await open({ bareCodes: 'accepted' })
    expect(stateOf((await customer.pay('/shelf', { amount: '5' })).page)).toBe('completed')
    expect((await customer.open('/shelf.svg')).response.status).toBe(200)
    expect((await customer.open('/shelf?id=o-1')).response.status).toBe(400)
    expect(processor.charged).toMatchObject([{ totalAmount: 500, merchantReference: null }])
  })

  test('a strict order that is paid says so, whoever comes', async () => {
    const { customer, checkout } = await open()
    await customer.pay(signed())
    const { page, response } = await customerOf(checkout.handler).open(signed())
    expect([response.status, stateOf(page)]).toEqual([200, 'taken'])
  })

  test('a stranger learns nothing of an order whose link he has not', async () => {
    const { customer, checkout } = await open()
    await customer.pay(signed())
    const ask = (target: string) => send(checkout.handler, target, { headers: { 'x-request-id': 'one' } })
    const [paid, unpaid] = [await ask('/shelf?id=o-1&strict=true'), await ask('/shelf?id=o-2&strict=true')]
    expect(paid).toEqual(unpaid)
  })

  test('keys of each merchant sign for no other', async () => {
    const paymentKeys = vi.fn((_: string, merchantId: string) => (merchantId === 'cafe' ? [other] : [key]))
    const { customer } = await open({ paymentKeys })
    expect(stateOf((await customer.open(signed())).page)).toBe('pay')
    expect(paymentKeys).toHaveBeenCalledWith('shelf', 'books')
    expect((await customer.open(signed({ scanCode: 'table-1' }))).response.status).toBe(400)
    expect(stateOf((await customer.open(signed({ scanCode: 'table-1' }, { key: other }))).page)).toBe('pay')
  })

  test('a function that throws takes no link, and is no fault of the customer', async () => {
    const { customer } = await open({ paymentKeys: () => Promise.reject(new Error('vault')) })
    for (const target of [signed(), '/shelf', '/shelf?id=o-1', '/shelf.svg'])
      expect((await customer.open(target)).response.status).toBe(500)
  })
})

describe('a link that ends', () => {
  const expiresAt = '2026-11-20T09:31:00Z'
  const END = new Date(expiresAt)

  test('is shown until then, by the clock of the till', async () => {
    const { customer, clock } = await open({ texts: { wrongLinks: { expired: '⟦expired⟧' } } })
    const target = signed({}, { expiresAt })
    expect(stateOf((await customer.open(target)).page)).toBe('pay')
    clock.now = END
    const { response, page } = await customer.open(target)
    expect([response.status, stateOf(page)]).toEqual([400, 'message'])
    expect(page).toContain('<p>⟦expired⟧</p>')
  })

  test('charges nothing when it ended while the form was filled in', async () => {
    const { customer, clock, processor, till } = await open()
    const { target, page } = await customer.open(signed({}, { expiresAt }))
    clock.now = END
    const pressed = await customer.press(target, { total: totalShown(page) })
    expect([pressed.response.status, stateOf(pressed.page)]).toEqual([400, 'message'])
    expect(processor.charged).toEqual([])
    expect((await till.payments.list('books')).total).toBe(0)
  })

  test('still shows what was paid before, to whoever paid and with the key gone as well', async () => {
    const { customer, clock, another } = await open()
    const { target } = await customer.pay(signed({}, { expiresAt }))
    clock.now = END
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
    expect(stateOf((await customer.press(target, { total: '500' })).page)).toBe('completed')
    const changed = another({ paymentKeys: [other] })
    const later = await send(changed.handler, target, { cookie: customer.cookie() })
    expect(stateOf(String(later.body))).toBe('completed')
  })

  test('and tells a browser without cookies that it was used, not that it may pay again', async () => {
    const { checkout, clock } = await open()
    const forgetful = customerOf(checkout.handler, { cookies: false })
    const { target } = await forgetful.pay(signed({}, { expiresAt }))
    clock.now = END
    expect((await forgetful.open(target)).page).toContain(english.begun)
  })
})

test('without paymentKeys a stranger pays a strict order a cent, as the page on security says', async () => {
  const { checkout, processor } = await openShop()
  const stranger = customerOf(checkout.handler)
  expect(stateOf((await stranger.pay(signed().replace('amount=500', 'amount=1'))).page)).toBe('completed')
  expect(processor.charged).toMatchObject([{ merchantReference: 'o-1', totalAmount: 1, requiredAmount: 1 }])
  expect(stateOf((await customerOf(checkout.handler).open(signed())).page)).toBe('taken')
})

test('a page of one’s own reads signed links with findScan', async () => {
  const { till } = await open()
  const signatures = { qrBaseUrl: QR_BASE_URL, paymentKeys: [key] }
  const query = signed().split('?')[1] ?? ''
  expect((await findScan(till, 'shelf', query, signatures))?.parameters).toEqual(ORDER)
  await expect(findScan(till, 'shelf', 'id=o-1', signatures)).rejects.toMatchObject({
    code: 'invalid_input',
    fault: 'signature',
  })
  const ended = signed({}, { expiresAt: '2026-11-20T09:00:00Z' }).split('?')[1] ?? ''
  await expect(findScan(till, 'shelf', ended, signatures)).rejects.toMatchObject({ fault: 'expired' })
  expect((await findScan(till, 'shelf', 'id=o-1'))?.parameters).toMatchObject({ merchantReference: 'o-1' })
  expect(await findScan(till, 'nobody', query, signatures)).toBeNull()
  for (const none of [{ qrBaseUrl: QR_BASE_URL }, { ...signatures, paymentKeys: undefined }])
    await expect(findScan(till, 'shelf', 'id=o-1', none as never)).rejects.toThrow(
      'paymentKeys must not be undefined',
    )
})

test('no order but the signed one is ever charged, whatever a stranger makes of links he has seen', async () => {
  const { customer, processor, till } = await open()
  const seen = [
    signed(),
    signed({ merchantReference: 'o-2', requiredAmount: 9900 }),
    signed({ extra: { a: '1' } }),
  ]
  const parts = seen.flatMap(target => target.split('?')[1]?.split('&') ?? [])
  const allowed = seen.map(target => parsePaymentUrl(target))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.constantFrom(...parts), fc.constantFrom('amount=1', 'id=o-3', 'strict=false', 'a=2')),
        {
          maxLength: 7,
        },
      ),
      fc.constantFrom('shelf', 'table-1'),
      async (pairs, code) => {
        const { target, page } = await customer.open(`/${code}?${pairs.join('&')}`)
        if (stateOf(page) === 'pay') await customer.press(target, { total: totalShown(page) })
      },
    ),
    { numRuns: 400 },
  )
  for (const target of seen.slice(0, 2)) await customer.pay(target)
  expect((await till.payments.list('cafe')).total).toBe(0)
  expect(processor.charged.length).toBeGreaterThan(1)
  for (const { merchantReference, requiredAmount, totalAmount, extra } of processor.charged) {
    expect(totalAmount).toBe(requiredAmount)
    const same = allowed.filter(
      link =>
        link.merchantReference === merchantReference &&
        link.requiredAmount === requiredAmount &&
        JSON.stringify(link.extra ?? {}) === JSON.stringify(extra),
    )
    expect(same).toHaveLength(1)
  }
})
