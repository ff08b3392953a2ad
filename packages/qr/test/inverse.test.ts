import { encodedUrl, imageRequest, type PaymentParameters, parsePaymentUrl, paymentUrl } from '@tillkit/qr'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const text = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('+', '%', '&', '=', '?', '#', ';', ' ', 'é', '\ufeff', '\u2028', '💶', '%2', '/'),
    }),
    fc.constantFrom('', '__proto__', 'constructor', 'ID', 'x'.repeat(20_000), '%'.repeat(3000)),
  )
  .filter(value => !value.includes('\0'))
const name = text.filter(value => !['id', 'amount', 'strict', 'scan_code_size'].includes(value))
const extra = fc
  .uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, minLength: 1, maxLength: 8 })
  .map(pairs => Object.fromEntries(pairs))
const scanCode = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)

const parameters = fc.record(
  {
    scanCode,
    merchantReference: text,
    requiredAmount: fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 53 - 1)),
    strict: fc.constant(true),
    extra,
  },
  { requiredKeys: ['scanCode'], noNullPrototype: true },
) as fc.Arbitrary<PaymentParameters>

const qrBaseUrl = fc.constantFrom(
  'https://pay.example.com',
  'http://localhost:3000/',
  'https://x.example/qr/a?'.slice(0, -1),
)

test('parsePaymentUrl is the inverse of paymentUrl', () => {
  fc.assert(
    fc.property(parameters, qrBaseUrl, (given, base) => {
      const url = paymentUrl({ qrBaseUrl: base, ...given })
      const relative = url.slice(url.indexOf('/qr/', base.length - 1))
      for (const form of [url, relative, relative.slice(3), relative.slice(4)]) {
        expect(parsePaymentUrl(form)).toStrictEqual(given)
      }
    }),
    { numRuns: 1000 },
  )
})

test('a payment URL is ASCII, and the URL parser leaves it as it is', () => {
  fc.assert(
    fc.property(parameters, given => {
      const url = paymentUrl({ qrBaseUrl: 'https://pay.example.com', ...given })
      expect(url).toMatch(/^[!-~]+$/)
      expect(parsePaymentUrl(new URL(url).href)).toStrictEqual(given)
    }),
  )
})

test('the image of a payment URL encodes that URL, wherever the size stands', () => {
  const size = fc.integer({ min: 50, max: 500 })
  fc.assert(
    fc.property(parameters, size, fc.nat(), fc.constantFrom('svg', 'png'), (given, pixels, place, type) => {
      const url = paymentUrl({ qrBaseUrl: 'https://pay.example.com', ...given })
      const query = url.split('?')[1] ?? ''
      const pairs = query === '' ? [] : query.split('&')
      pairs.splice(place % (pairs.length + 1), 0, `scan_code_size=${pixels}`)
      const request = imageRequest(`/${given.scanCode}.${type}`, pairs.join('&'))
      expect(request).toStrictEqual({ scanCode: given.scanCode, type, size: pixels, query })
      expect(encodedUrl({ qrBaseUrl: 'https://pay.example.com', ...request })).toBe(url)
    }),
  )
})
