import {
  encodedUrl,
  imageRequest,
  type PaymentUrlVocabulary,
  parsePaymentUrl,
  paymentUrl,
  QrError,
  verifyPaymentUrl,
} from '@tillkit/qr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parameters } from './parameters.ts'

const names = ['id', 'amount', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires']
const qrBaseUrl = 'https://pay.example.com/shop'
const key = 'k'.repeat(32)
const now = new Date('2029-01-01')
const expiresAt = '2030-01-01T00:00:00Z'

const word = fc.oneof(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,11}$/),
  fc.constantFrom(...names, 'ID', 'constructor'),
)
const vocabularies = fc
  .dictionary(fc.constantFrom(...names, 'qr', 'scanCode', 'Service'), word, { noNullPrototype: true })
  .filter(given => new Set(names.map(name => given[name] ?? name)).size === names.length)

/** A URL in our words, put into those of a vocabulary by nothing but its text. */
function translated(url: string, vocabulary: PaymentUrlVocabulary): string {
  const [place = '', query] = url.split('?')
  const path = place.replace(/\/qr\/([^/]+)$/, `/${vocabulary.qr ?? 'qr'}/$1`)
  const pairs = query?.split('&').map(pair => {
    const [name = '', value] = pair.split('=')
    return `${names.includes(name) ? (vocabulary[name] ?? name) : name}=${value}`
  })
  return pairs === undefined ? path : `${path}?${pairs.join('&')}`
}

describe('in other words', () => {
  test('a payment URL is the same but for its words, is read back, and its image encodes it', () => {
    fc.assert(
      fc.property(
        parameters,
        vocabularies,
        fc.integer({ min: 50, max: 500 }),
        (given, vocabulary, pixels) => {
          const words = Object.values(vocabulary)
          fc.pre(!Object.keys(given.extra ?? {}).some(name => words.includes(name)))
          const url = paymentUrl({ qrBaseUrl, ...given, vocabulary })
          expect(url).toBe(translated(paymentUrl({ qrBaseUrl, ...given }), vocabulary))
          expect(parsePaymentUrl(url, { vocabulary })).toStrictEqual(given)
          expect(parsePaymentUrl(url.slice(qrBaseUrl.length), { vocabulary })).toStrictEqual(given)

          const query = url.split('?')[1] ?? ''
          const size = `${vocabulary.scan_code_size ?? 'scan_code_size'}=${pixels}`
          const image = imageRequest(`/${given.scanCode}.png`, query === '' ? size : `${query}&${size}`, {
            vocabulary,
          })
          expect(image).toStrictEqual({ scanCode: given.scanCode, type: 'png', size: pixels, query })
          expect(encodedUrl({ qrBaseUrl, ...image, vocabulary })).toBe(url)
        },
      ),
    )
  })

  test('a signed URL is verified in them, and in no others', () => {
    fc.assert(
      fc.property(parameters, vocabularies, (given, vocabulary) => {
        const words = Object.values(vocabulary)
        fc.pre(!Object.keys(given.extra ?? {}).some(name => words.includes(name)))
        const url = paymentUrl({ qrBaseUrl, ...given, vocabulary }, { key, expiresAt })
        const options = { qrBaseUrl, keys: [key], now, vocabulary }
        expect(verifyPaymentUrl(url, options)).toStrictEqual(given)
        const late = { ...options, now: new Date(expiresAt) }
        expect(() => verifyPaymentUrl(url, late)).toThrow(
          `${vocabulary.scan_code_expires ?? 'scan_code_expires'} must not be over`,
        )
        const other = { ...vocabulary, scan_code_signature: 'another_signature' }
        expect(() => verifyPaymentUrl(url, { ...options, vocabulary: other })).toThrow(QrError)
      }),
    )
  })

  test('a name that has another word is an extra like any other, and the word is taken', () => {
    const vocabulary = { id: 'ref', scan_code_size: 'snap_code_size' }
    const url = '/CODE?ref=7&id=5&scan_code_size=90'
    const read = { scanCode: 'CODE', merchantReference: '7', extra: { id: '5', scan_code_size: '90' } }
    expect(parsePaymentUrl(url, { vocabulary })).toStrictEqual(read)
    const built = paymentUrl({ qrBaseUrl: 'https://pay.example.com', ...read, vocabulary })
    expect(built).toBe(`https://pay.example.com/qr${url}`)
    expect(
      imageRequest('/CODE.svg', 'id=5&snap_code_size=90&scan_code_size=70', { vocabulary }),
    ).toMatchObject({
      size: 90,
      query: 'id=5&scan_code_size=70',
    })
    const taken = { qrBaseUrl, scanCode: 'CODE', extra: { snap_code_size: '1' }, vocabulary }
    expect(() => paymentUrl(taken)).toThrow(
      'extra must not have the name snap_code_size, which means something else',
    )
  })

  test('what is wrong is said in them, and `parameter` stays', () => {
    const vocabulary = {
      amount: 'cents',
      scan_code_size: 'snap_code_size',
      scan_code_signature: 'proof',
      qr: 'pay',
    }
    const refused = (call: () => unknown) => {
      try {
        call()
      } catch (error) {
        if (error instanceof QrError) return [error.parameter, error.message]
        throw error
      }
      return undefined
    }
    expect(refused(() => parsePaymentUrl('/CODE?cents=x', { vocabulary }))).toEqual([
      'amount',
      'cents must be a whole number of cents from 0 to 2^53 - 1',
    ])
    expect(refused(() => parsePaymentUrl('/CODE?cents=1&cents=2', { vocabulary }))).toEqual([
      'amount',
      'cents must be given only once',
    ])
    expect(refused(() => parsePaymentUrl('/CODE?cents=%00', { vocabulary }))?.[1]).toMatch(
      /^cents must not contain/,
    )
    expect(refused(() => imageRequest('/CODE.svg', 'snap_code_size=9', { vocabulary }))).toEqual([
      'scan_code_size',
      'snap_code_size must be an integer from 50 to 500',
    ])
    expect(refused(() => parsePaymentUrl('https://pay.example.com/qr/CODE', { vocabulary }))).toEqual([
      'path',
      'path must be /pay/ and a scan code',
    ])
    expect(
      refused(() => encodedUrl({ qrBaseUrl: 'https://a.example/pay', scanCode: 'A', query: '', vocabulary })),
    ).toEqual(['qrBaseUrl', 'qrBaseUrl must not end in /pay: that is what is added to it'])
    expect(
      refused(() => verifyPaymentUrl('/CODE?cents=1', { qrBaseUrl, keys: [key], vocabulary }))?.[1],
    ).toMatch(/^proof must/)
  })

  test.each([
    [{ amount: 'a b' }, 'vocabulary.amount must be a word of 1 to 64'],
    [{ id: '__proto__' }, 'vocabulary.id must be a word'],
    [{ qr: '' }, 'vocabulary.qr must be a word'],
    [{ id: 'amount' }, 'vocabulary.id must not be amount, the word for amount beside it'],
    [
      { scan_code_size: 'size', strict: 'size' },
      'vocabulary.scan_code_size must not be size, the word for strict',
    ],
    [null, 'vocabulary must be an object'],
  ])('%j is refused', (vocabulary, message) => {
    expect(() => parsePaymentUrl('/CODE', { vocabulary: vocabulary as PaymentUrlVocabulary })).toThrow(
      message,
    )
  })
})
