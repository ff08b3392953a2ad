import { type CheckoutOptions, createCheckout, dutch } from '@tillkit/checkout'
import { describe, expect, test } from 'vitest'
import { openShop, stateOf } from './shop.ts'

const { till, processor } = await openShop()
const good: CheckoutOptions = {
  qrBaseUrl: 'https://pay.example.com',
  processor,
  currency: 'EUR',
  locale: 'nl-NL',
}

describe('bad options are named', () => {
  test.each<[object, RegExp]>([
    [{ qrBaseUrl: 'pay.example.com' }, /^qrBaseUrl must be an absolute http or https URL/],
    [{ qrBaseUrl: 'https://pay.example.com/qr' }, /^qrBaseUrl must/],
    [{ qrBaseUrl: 'https://pay.example.com/qr/' }, /^qrBaseUrl must/],
    [{ qrBaseUrl: 'https://pay.example.com?shop=1' }, /^qrBaseUrl must have no query/],
    [{ qrBaseUrl: 'http://pay.example.com' }, /^qrBaseUrl must be an https address/],
    [{ qrBaseUrl: undefined }, /^qrBaseUrl must be a string/],
    [{ processor: undefined }, /^processor must be a payment processor/],
    [{ processor: {} }, /^processor must be a payment processor \(it needs charge\)/],
    [{ currency: 'eur' }, /^currency must be a currency of ISO 4217/],
    [{ currency: 'ZZZ' }, /^currency must be/],
    [{ currency: undefined }, /^currency must be a string/],
    [{ locale: 'nl_NL' }, /^locale must be a locale/],
    [{ locale: 'qq' }, /^locale must be a locale/],
    [{ texts: { payTo: 7 } }, /^texts.payTo must be a string/],
    [{ texts: { pajTo: 'Betaal' } }, /^texts.pajTo is not a known name/],
    [{ texts: { failures: 'no' } }, /^texts.failures must be/],
    [{ texts: { language: 'dutch language' } }, /^texts.language must be a locale/],
    [{ brand: { colour: 'red' } }, /^brand.colour must be a colour such as/],
    [{ brand: { colour: '#fff;}' } }, /^brand.colour must be/],
    [{ brand: { logo: 'javascript:alert(1)' } }, /^brand.logo must be an https URL/],
    [{ brand: { logo: 'http://x.example/l.png' } }, /^brand.logo must be an https URL/],
    [{ brand: { color: '#ffffff' } }, /^brand.color is not a known name/],
    [{ timeZone: 'Mars/Olympus' }, /^timeZone must be a time zone/],
    [{ accepts: true }, /^accepts must be a function/],
    [{ policy: { 'script-src': 'https://x.example; img-src *' } }, /^policy.script-src must be sources/],
    [{ texts: { wrongLinks: { amuont: 'x' } } }, /^texts.wrongLinks.amuont is not a known name/],
    [{ processor: { charge: () => {}, lookup: true } }, /^processor must be .*its lookup must be a function/],
    [{ watchSeconds: 0 }, /^watchSeconds must be a number of seconds above 0/],
    [{ shop: 5 }, /^shop must be an object, or a function/],
    [{ recordSeconds: 0 }, /^recordSeconds must be a number of seconds above 0/],
    [{ onUnrecorded: true }, /^onUnrecorded must be a function/],
    [{ waitSeconds: 0 }, /^waitSeconds must be a number of seconds above 0/],
    [{ timeoutSeconds: 601 }, /^timeoutSeconds must be at most 600/],
    [{ https: 'no' }, /^https must be 'required' or 'off'/],
    [{ rateLimits: { payments: 5 } }, /^rateLimits/],
    [{ logger: console.log }, /^logger must be a logger/],
    [{ paymentKeys: ['short'] }, /^paymentKeys.0 must be 32 to 256 letters/],
    [{ paymentKeys: [] }, /^paymentKeys must be a list of keys with one at least/],
    [{ paymentKeys: undefined }, /^paymentKeys must not be undefined/],
    [{ bareCodes: 'accepted' }, /^bareCodes needs paymentKeys/],
    [{ paymentKeys: ['x'.repeat(32)], bareCodes: 'none' }, /^bareCodes must be 'signed' or 'accepted'/],
    [{ secret: 'x' }, /^secret is not a known name of the options of createCheckout/],
  ])('%j', (options, message) => {
    const create = () => createCheckout(till, { ...good, ...options } as CheckoutOptions)
    expect(create).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    )
  })

  test('and so is a till that is none', () => {
    expect(() => createCheckout({} as never, good)).toThrow('till must be what createTill returns')
    expect(() => createCheckout(till, undefined as never)).toThrow(
      'the options of createCheckout must be an object',
    )
  })
})

describe('a host’s own look', () => {
  test('currency, locale, texts and their language', async () => {
    const { customer } = await openShop({
      locale: 'nl-NL',
      texts: {
        language: 'nl',
        payTo: 'Betaal aan',
        pay: 'Betaal {total}',
        failures: { card_declined: 'Geweigerd' },
      },
    })
    const { page } = await customer.open('/shelf?amount=125050')
    expect(page).toContain('<html lang="nl" dir="ltr">')
    expect(page.replaceAll('\u00a0', ' ')).toContain('Betaal € 1.250,50')
    expect(page).toContain('<small>Betaal aan</small>Harbour Books')
    expect(page).toContain(dutch.total)
  })

  test('a currency without decimals, and a language from right to left', async () => {
    const { customer, processor } = await openShop({
      currency: 'JPY',
      locale: 'ja-JP',
      texts: { language: 'he' },
    })
    const { page } = await customer.open('/table-1')
    expect(page).toContain('<html lang="he" dir="rtl">')
    expect(page).toContain('inputmode="numeric"')
    expect(stateOf((await customer.pay('/table-1', { amount: '1250' })).page)).toBe('completed')
    expect(processor.charged).toMatchObject([{ totalAmount: 1250 }])
  })

  test.each([
    ['#ffd400', '#000'],
    ['#000000', '#fff'],
    ['#E4002B', '#fff'],
    ['#2a4bd7', '#fff'],
    ['#7fffd4', '#000'],
  ])('a colour %s has writing in %s on it', async (colour, ink) => {
    const { customer } = await openShop({ brand: { colour } })
    const { page } = await customer.open('/shelf?amount=5')
    expect(page).toContain(`--brand:${colour};--on-brand:${ink};`)
  })

  test('a logo, which the content security policy lets in and nothing else', async () => {
    const brand = { name: 'Example Pay', logo: 'https://cdn.example.com/logo.svg?v=2' }
    const { customer } = await openShop({ brand })
    const { page, response } = await customer.open('/shelf?amount=5')
    expect(page).toContain('<img src="https://cdn.example.com/logo.svg?v=2" alt="Example Pay">')
    expect(response.headers['Content-Security-Policy']).toContain('img-src https://cdn.example.com;')
  })

  test('fields of its own come to the processor, with what they need of the policy', async () => {
    const { customer, processor } = await openShop({
      methodFields: '<input type="hidden" name="card" value="tok_1">',
      policy: { 'script-src': 'https://psp.example', 'frame-src': 'https://psp.example' },
    })
    const { page, target, response } = await customer.open('/shelf?amount=500')
    expect(page).toContain('<input type="hidden" name="card" value="tok_1">')
    expect(response.headers['Content-Security-Policy']).toContain("script-src 'self' https://psp.example;")
    expect(response.headers['Content-Security-Policy']).toContain('frame-src https://psp.example')
    await customer.press(target, { total: '500', card: 'tok_1' })
    expect(processor.contexts[0]).toMatchObject({ fields: { card: 'tok_1' }, merchant: { id: 'books' } })
    expect(processor.contexts[0]?.fields).not.toHaveProperty('total')
    expect(processor.contexts[0]?.request.remoteAddress).toBe('203.0.113.7')
  })

  test('the date of a payment in its time zone', async () => {
    const clock = () => new Date('2026-11-20T09:30:00Z')
    const { customer } = await openShop({ locale: 'nl-NL', timeZone: 'Asia/Tokyo' }, { clock })
    expect((await customer.pay('/shelf?amount=500')).page).toContain('20 nov 2026, 18:30 GMT+9<')
  })
})
