import { parsePaymentUrl, paymentUrl, QrError, verifyPaymentUrl } from '@tillkit/qr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parameters } from './parameters.ts'

const qrBaseUrl = 'https://pay.example.com/shop'
const letters = fc.string({ unit: fc.constantFrom(...'!+-/=_09AZaz'), minLength: 32, maxLength: 70 })
const expiresAt = fc.option(
  fc.date({ min: new Date('2030-01-01'), max: new Date('2999-01-01'), noInvalidDate: true }),
  { nil: undefined },
)
const now = new Date('2029-01-01')

/** Few and short, so that two of them often differ in little. */
const few = fc.constantFrom('', 'a', 'b', 'ab', '1', '1&', '&amount=1', ',"', 'true')
const close = fc.record(
  {
    scanCode: fc.constantFrom('A', 'B', 'AB', '1'),
    merchantReference: few,
    requiredAmount: fc.constantFrom(0, 1, 10, 11),
    strict: fc.constant(true),
    extra: fc
      .uniqueArray(fc.tuple(few, few), { selector: ([name]) => name, minLength: 1, maxLength: 3 })
      .map(pairs => Object.fromEntries(pairs)),
  },
  { requiredKeys: ['scanCode'], noNullPrototype: true },
)

/** What the URL is read as, or undefined where it is refused. */
function read(url: string, key: string, base = qrBaseUrl) {
  try {
    return verifyPaymentUrl(url, { qrBaseUrl: base, keys: [key], now })
  } catch (error) {
    if (error instanceof QrError) return undefined
    throw error
  }
}

test('what was signed is verified, in every form that is read', () => {
  fc.assert(
    fc.property(parameters, letters, expiresAt, (given, key, end) => {
      const url = paymentUrl({ qrBaseUrl, ...given }, { key, ...(end && { expiresAt: end }) })
      const relative = url.slice(qrBaseUrl.length)
      const query = url.split('?')[1]
      const image = `/${given.scanCode}.png?scan_code_size=200&${query}`
      for (const form of [url, new URL(url).href, relative, relative.slice(3), image])
        expect(read(form, key)).toStrictEqual(given)
    }),
    { numRuns: 500 },
  )
})

test('a change of any one character is refused, or the URL still means the same', () => {
  const place = fc.nat()
  const sign = fc.oneof(
    fc.constantFrom(...'0123456789aZ_-%+&=?#/. '),
    fc.string({ minLength: 1, maxLength: 1 }),
  )
  const change = fc.constantFrom('replace', 'insert', 'remove', 'swap')
  let refused = 0
  fc.assert(
    fc.property(parameters, letters, place, sign, change, (given, key, at, by, how) => {
      const url = paymentUrl({ qrBaseUrl, ...given }, { key, expiresAt: '2100-01-01T00:00:00Z' })
      const start = at % url.length
      const next = {
        replace: by,
        insert: by + url[start],
        remove: '',
        swap: `${url[start + 1] ?? ''}${url[start]}`,
      }[how]
      const changed = url.slice(0, start) + next + url.slice(start + (how === 'swap' ? 2 : 1))
      fc.pre(changed !== url)
      const was = read(changed, key)
      if (was === undefined) refused++
      else expect(was).toStrictEqual(given)
    }),
    { numRuns: 3000 },
  )
  expect(refused).toBeGreaterThan(2000)
})

test('each character of a plain URL counts', () => {
  const key = 'x'.repeat(32)
  const order = { scanCode: 'T7', merchantReference: 'order-1', requiredAmount: 1250, strict: true }
  const url = paymentUrl(
    { qrBaseUrl, ...order, extra: { table: '9' } },
    { key, expiresAt: '2100-01-01T00:00:00Z' },
  )
  for (let at = 'https://'.length; at < url.length; at++) {
    for (const by of ['x', '1', 'Q', '', '&', '/', '%7E']) {
      const changed = url.slice(0, at) + by + url.slice(at + 1)
      const same = changed === url || new URL(changed).href === new URL(url).href
      if (!same) expect(read(changed, key), changed).toBeUndefined()
    }
  }
})

test('a signature is good for one meaning only', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(close, close), fc.tuple(parameters, parameters)),
      letters,
      ([one, two], key) => {
        const [first, second] = [one, two].map(given => paymentUrl({ qrBaseUrl, ...given }, { key }))
        const [, signature] = first?.split('scan_code_signature=') ?? []
        const [unsigned] = second?.split('scan_code_signature=') ?? []
        const mixed = `${unsigned}scan_code_signature=${signature}`
        const means = (given: object) => {
          const { scanCode, merchantReference, requiredAmount, strict, extra } = parsePaymentUrl(
            paymentUrl({ qrBaseUrl, ...(given as typeof one) }),
          )
          return { scanCode, merchantReference, requiredAmount, strict, extra }
        }
        const isSame = JSON.stringify(sorted(means(one))) === JSON.stringify(sorted(means(two)))
        expect(read(mixed, key) !== undefined).toBe(isSame)
      },
    ),
    { numRuns: 2000 },
  )
})

test('and for one key, one end, one place', () => {
  const base = fc.constantFrom(
    'https://a.example',
    'https://a.example/b',
    'http://a.example',
    'https://a.example:1',
    'https://b.example',
  )
  fc.assert(
    fc.property(
      close,
      letters,
      letters,
      base,
      base,
      expiresAt,
      expiresAt,
      (given, key, key2, b, b2, e, e2) => {
        const [one, two] = [e, e2].map(end => ({ key, ...(end && { expiresAt: end }) }))
        const url = paymentUrl({ qrBaseUrl: b, ...given }, one)
        const other = paymentUrl({ qrBaseUrl: b, ...given }, two)
        const signatureOf = (text: string) => text.slice(-24)
        const [unsigned] = other.split('scan_code_signature=')
        const secondOf = (end?: Date) => end && Math.floor(end.getTime() / 1000)
        const isEnd = secondOf(e) === secondOf(e2)
        expect(read(url, key, b)).toStrictEqual(given)
        expect(read(url, key2, b) !== undefined).toBe(key === key2)
        expect(read(url, key, b2) !== undefined).toBe(b === b2)
        expect(read(`${unsigned}scan_code_signature=${signatureOf(url)}`, key, b) !== undefined).toBe(isEnd)
      },
    ),
    { numRuns: 1000 },
  )
})

test('another order and another encoding of the same parameters is the same URL', () => {
  const encode = (text: string, odd: number) =>
    [...new TextEncoder().encode(text)]
      .map((byte, at) => {
        const hex = byte.toString(16).padStart(2, '0')
        const plain = String.fromCharCode(byte)
        if (byte === 0x20 && (odd >> (at % 31)) % 2) return '+'
        return /[A-Za-z0-9_-]/.test(plain) && (odd >> (at % 29)) % 2
          ? plain
          : `%${(odd >> (at % 30)) % 2 ? hex.toUpperCase() : hex}`
      })
      .join('')
  fc.assert(
    fc.property(
      parameters,
      letters,
      fc.nat(),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      (given, key, turn, odd) => {
        const url = paymentUrl({ qrBaseUrl, ...given }, { key, expiresAt: '2100-01-01T00:00:00Z' })
        const [path, query = ''] = url.split('?')
        const pairs = query.split('&').map(pair =>
          pair
            .split('=')
            .map(part => encode(decodeURIComponent(part), odd))
            .join('='),
        )
        const turned = [...pairs.slice(turn % pairs.length), ...pairs.slice(0, turn % pairs.length)].reverse()
        // The order of names in an object is no part of what it says.
        expect(read(`${path}?${turned.join('&')}`, key)).toEqual(given)
      },
    ),
    { numRuns: 500 },
  )
})

test('what is added is refused', () => {
  fc.assert(
    fc.property(close, letters, few, few, fc.boolean(), (given, key, name, value, inFront) => {
      const url = paymentUrl({ qrBaseUrl, ...given }, { key })
      const more = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      const longer = inFront ? url.replace('?', `?${more}&`) : `${url}&${more}`
      expect(read(longer, key)).toBeUndefined()
    }),
  )
})

/** With the names of objects in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, sorted(part)])
}
