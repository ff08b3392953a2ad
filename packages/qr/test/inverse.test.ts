import { encodedUrl, imageRequest, parsePaymentUrl, paymentUrl } from '@tillkit/qr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parameters } from './parameters.ts'

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
