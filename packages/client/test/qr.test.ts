import { createClient, type PaymentUrlOptions } from '@tillkit/client'
import { imageRequest, parsePaymentUrl, paymentUrl } from '@tillkit/qr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openShop } from './shop.ts'

const qrBaseUrl = 'https://pay.example.com'
const { qr } = createClient({ baseUrl: `${qrBaseUrl}/v1`, apiKey: 'tk_x' })

const text = fc.string({ unit: 'grapheme', maxLength: 5 }).filter(text => !text.includes('\0'))
const options: fc.Arbitrary<PaymentUrlOptions> = fc.record(
  {
    scanCode: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    merchantReference: text,
    requiredAmount: fc.maxSafeNat(),
    strict: fc.boolean(),
    extra: fc.dictionary(
      text.filter(name => !/^(id|amount|strict|scan_code_.*)$/.test(name)),
      text,
      { maxKeys: 4 },
    ),
  },
  { requiredKeys: ['scanCode'] },
)

test('url is what @tillkit/qr makes', () => {
  fc.assert(
    fc.property(options, given => {
      expect(qr.url(given)).toBe(paymentUrl({ qrBaseUrl, ...given } as Parameters<typeof paymentUrl>[0]))
    }),
  )
})

test('imageUrl asks for an image of that url', () => {
  const image = fc.record(
    { size: fc.integer({ min: 50, max: 500 }), format: fc.constantFrom('svg' as const, 'png' as const) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(options, image, (given, asked) => {
      fc.pre(qr.url(given).length <= 800)
      const [path = '', query = ''] = qr
        .imageUrl({ ...given, ...asked })
        .slice(qrBaseUrl.length)
        .split('?')
      const read = imageRequest(path, query)
      expect(read).toMatchObject({ type: asked.format ?? 'svg', size: asked.size ?? 125 })
      const rest = read.query === '' ? '' : `?${read.query}`
      expect(`${qrBaseUrl}/qr/${read.scanCode}${rest}`).toBe(qr.url(given))
    }),
  )
})

test('the server draws it', async () => {
  const { shop, apiKey, fetch } = await openShop()
  const url = shop.qr.imageUrl({
    scanCode: 'counter',
    merchantReference: 'order 7',
    size: 200,
    format: 'png',
  })
  const { signal } = new AbortController()
  const answer = await fetch?.(url, { method: 'GET', headers: {}, redirect: 'manual', signal })
  expect(answer?.headers.get('content-type')).toBe('image/png')
  expect(parsePaymentUrl(shop.qr.url({ scanCode: 'counter', merchantReference: 'order 7' }))).toEqual({
    scanCode: 'counter',
    merchantReference: 'order 7',
  })
  expect(url).not.toContain(apiKey)
})

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, '1']))

test('what a payment can have is taken to the last character', () => {
  for (const more of [
    { merchantReference: '🦉'.repeat(255) },
    { extra: names(50) },
    { extra: { é: `${'é'.repeat(1364)}x` } },
  ]) {
    const given = { scanCode: 'a', ...more }
    expect(parsePaymentUrl(qr.url(given))).toEqual(given)
  }
})

test.each([
  [{ scanCode: 'a/b' }, /^scanCode must be/],
  [{ scanCode: 'a', requiredAmount: 12.5 }, /^requiredAmount must be a whole number, 0 or more/],
  [{ scanCode: 'a', strict: 'true' }, /^strict must be/],
  [{ scanCode: 'a', merchantReference: 'a\0' }, /^merchantReference must not contain/],
  [{ scanCode: 'a', merchantReference: '\ud800' }, /^merchantReference must be well-formed/],
  [{ scanCode: 'a', merchantReference: 'é'.repeat(256) }, /^merchantReference must have at most 255 char/],
  [{ scanCode: 'a', extra: names(51) }, /^extra must have at most 50 names/],
  [
    { scanCode: 'a', extra: { a: 'é'.repeat(1366) } },
    /^extra is too long: the query must have at most 8192 /,
  ],
  [{ scanCode: 'a', extra: { id: '7' } }, /^extra must not have the name id/],
  [{ scanCode: 'a', amount: 7 }, /^amount is not one of scanCode/],
  [{ scanCode: 'a', size: 49 }, /^size (must be|is not one of)/],
])('%j is refused', (given, message) => {
  expect(() => qr.url(given as never)).toThrow(message)
  expect(() => qr.imageUrl(given as never)).toThrow(message)
})
