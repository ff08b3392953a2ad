import { createHash, createHmac } from 'node:crypto'
import {
  checkPaymentKeys,
  type PaymentParameters,
  parsePaymentUrl,
  paymentUrl,
  QrError,
  type SignPaymentUrlOptions,
  type VerifyPaymentUrlOptions,
  verifyPaymentUrl,
} from '@tillkit/qr'
import { describe, expect, test } from 'vitest'

const qrBaseUrl = 'https://pay.example.com'
const key = 'k1-0123456789abcdef0123456789abcdef'
const other = 'k2-0123456789abcdef0123456789abcdef'
const order = { scanCode: 'T7', merchantReference: 'order-1', requiredAmount: 1250, strict: true }
const signed = (parameters: PaymentParameters = order, signing: Partial<SignPaymentUrlOptions> = {}) =>
  paymentUrl({ qrBaseUrl, ...parameters }, { key, ...signing })
const verify = (url: string, options: Partial<VerifyPaymentUrlOptions> = {}) =>
  verifyPaymentUrl(url, { qrBaseUrl, keys: [key], ...options })
const refusal = (parameter: string) =>
  expect.objectContaining({
    name: 'QrError',
    code: 'invalid_input',
    parameter,
    message: expect.stringMatching(`^${parameter} must `),
  })
const WRONG = refusal('scan_code_signature')

describe('a signed URL', () => {
  test('is the URL and its signature, the same in any process', () => {
    const url = signed()
    const unsigned = paymentUrl({ qrBaseUrl, ...order })
    expect(url).toMatch(new RegExp(`^${unsigned.replace('?', '\\?')}&scan_code_signature=[\\w-]{24}$`))
    const content = [`${qrBaseUrl}/qr/T7`, 'order-1', 1250, true, [], null]
    const hash = createHash('sha256')
      .update(`tillkit payment url 1 ${JSON.stringify(content)}`)
      .digest()
    const mac = createHmac('sha256', key).update(hash).digest()
    expect(url.slice(-24)).toBe(mac.subarray(0, 18).toString('base64url'))
  })

  test('is read as the URL without the signature', () => {
    const url = signed(order, { expiresAt: '2100-01-01T00:00:00Z' })
    expect(parsePaymentUrl(url)).toStrictEqual(order)
    expect(verify(url)).toStrictEqual(order)
  })

  test('may say nothing but its code', () => {
    expect(verify(signed({ scanCode: 'T7' }))).toStrictEqual({ scanCode: 'T7' })
  })

  test.each([
    '/qr/T7',
    '/T7',
    'T7',
    '/T7/',
    '/T7.png',
    '/qr/T7.svg',
    `${qrBaseUrl}/qr/T7.svg`,
    'HTTPS://PAY.example.com:443/qr/T7',
  ])('is good at %s', place => {
    const query = signed().split('?')[1]
    expect(verify(`${place}?${query}`)).toStrictEqual(order)
    expect(verify(`${place}?scan_code_size=200&${query}#top`)).toStrictEqual(order)
  })

  test('is made for one way to write the base URL, and good for any', () => {
    for (const base of [
      'https://pay.example.com/',
      'https://PAY.example.com:443',
      'HTTPS://pay.example.com/x/..',
    ]) {
      expect(verify(paymentUrl({ ...order, qrBaseUrl: base }, { key }))).toStrictEqual(order)
      expect(verify(signed(), { qrBaseUrl: base })).toStrictEqual(order)
    }
  })
})

describe('refused is', () => {
  test('a URL without a signature, with an empty one, with two', () => {
    const url = signed()
    const [unsigned, signature] = url.split('&scan_code_signature=') as [string, string]
    for (const wrong of [
      unsigned,
      `${unsigned}&scan_code_signature=`,
      `${unsigned}&scan_code_signature`,
      `${url}&scan_code_signature=${signature}`,
      `${unsigned}&scan_code_signature=AAAA&scan_code_signature=${signature}`,
      `${unsigned}&scan_code_signature=${signature}=`,
      `${unsigned}&scan_code_signature=${signature}%00`,
      `${unsigned}&Scan_Code_Signature=${signature}`,
    ])
      expect(() => verify(wrong), wrong).toThrow(WRONG)
  })

  test.each([
    ['another code', 'T7?', 'T8?'],
    ['another order', 'order-1', 'order-2'],
    ['another amount', '1250', '1'],
    ['no amount', 'amount=1250&', ''],
    ['no order', 'id=order-1&', ''],
    ['an order in another case', 'order-1', 'Order-1'],
    ['no strict', 'strict=true&', ''],
    ['strict switched off', 'strict=true', 'strict=false'],
    ['an extra parameter', 'strict', 'a=1&strict'],
    ['an extra parameter without name and value', 'strict', '=&strict'],
    ['an end', 'strict', 'scan_code_expires=4102444800&strict'],
    ['an order that swallows the rest', '&amount', '%26amount'],
  ])('%s', (_, from, to) => {
    const url = signed()
    const changed = url.replace(from, to)
    expect(changed).not.toBe(url)
    expect(() => verify(changed)).toThrow(WRONG)
  })

  test('nothing in the place of 0, of an empty order or of an empty end, and the other way round', () => {
    const [bare, free, unnamed] = [{}, { requiredAmount: 0 }, { merchantReference: '' }].map(given =>
      signed({ scanCode: 'T7', ...given }),
    ) as [string, string, string]
    for (const url of [bare, free, unnamed]) expect(verify(url)).toStrictEqual(parsePaymentUrl(url))
    for (const wrong of [
      free.replace('amount=0&', ''),
      unnamed.replace('id=&', ''),
      bare.replace('?', '?amount=0&'),
      bare.replace('?', '?id=&'),
      bare.replace('?', '?scan_code_expires=&'),
    ])
      expect(() => verify(wrong), wrong).toThrow(WRONG)
  })

  test('an extra parameter given twice, though the last one is the one that was signed', () => {
    const url = signed({ ...order, extra: { table: '7' } })
    const twice = url.replace('table=7', 'table=8&table=7')
    expect(parsePaymentUrl(twice)).toStrictEqual(parsePaymentUrl(url))
    expect(() => verify(twice)).toThrow(WRONG)
  })

  test.each([
    'https://evil.example/qr/T7',
    'http://pay.example.com/qr/T7',
    'https://pay.example.com:8443/qr/T7',
    'https://pay.example.com/shop/qr/T7',
    'https://pay.example.com@evil.example/qr/T7',
    'https://evil.example//pay.example.com/qr/T7',
    'https://evil.example\\@pay.example.com/qr/T7',
    'https://:x/qr/T7',
    '//evil.example/qr/T7',
    '/shop/qr/T7',
  ])('another address, %s', place => {
    const query = signed().split('?')[1]
    expect(() => verify(`${place}?${query}`)).toThrow(WRONG)
    expect(() => verify(place, { bareCodes: 'accepted' })).toThrow(WRONG)
  })

  test('another host whose own name is in the path', () => {
    const url = paymentUrl({ ...order, qrBaseUrl: 'https://shop' }, { key })
    const elsewhere = url.replace('https://shop/', 'https://evil.example//shop/')
    expect(() => verify(elsewhere, { qrBaseUrl: 'https://shop' })).toThrow(WRONG)
  })

  test.each(['https://pay.example.com/shop', 'http://pay.example.com', 'https://pay.example.org'])(
    'what was signed for %s',
    base => {
      const url = paymentUrl({ ...order, qrBaseUrl: base }, { key })
      expect(() => verify(url)).toThrow(WRONG)
      expect(() => verify(`/T7?${url.split('?')[1]}`)).toThrow(WRONG)
      expect(verify(url, { qrBaseUrl: base })).toStrictEqual(order)
    },
  )

  test('what parsePaymentUrl refuses', () => {
    expect(() => verify('/T7?amount=x')).toThrow(refusal('amount'))
    expect(() => verify('/a.b')).toThrow(refusal('scanCode'))
  })
})

describe('keys', () => {
  test('are changed with both accepted meanwhile', () => {
    const [old, young] = [signed(), signed(order, { key: other })]
    for (const url of [old, young]) expect(verify(url, { keys: [other, key] })).toStrictEqual(order)
    expect(() => verify(young)).toThrow(WRONG)
    expect(() => verify(old, { keys: [other] })).toThrow(WRONG)
    expect(() => verify(old, { keys: [] })).toThrow(WRONG)
  })

  test.each([
    [undefined],
    [null],
    [''],
    ['short'],
    ['x'.repeat(31)],
    ['x'.repeat(257)],
    [`${key}\n`],
    [` ${key}`],
    ['ø'.repeat(40)],
    [Buffer.from(key)],
    [[key]],
  ])('%j is none', wrong => {
    const message = /must be 32 to 256 letters, digits and signs of ASCII/
    expect(() => signed(order, { key: wrong as string })).toThrow(refusal('key'))
    expect(() => signed(order, { key: wrong as string })).toThrow(message)
    expect(() => verify(signed(), { keys: [key, wrong as string] })).toThrow(refusal('keys.1'))
    expect(() => checkPaymentKeys([wrong as string])).toThrow(message)
  })

  test('are a list of ten at most, and never in a message', () => {
    for (const keys of [undefined, null, key, { 0: key }, Array(11).fill(key)])
      expect(() => verify(signed(), { keys: keys as string[] })).toThrow(refusal('keys'))
    expect(() => verify(signed(), { keys: Array(10).fill(key) })).not.toThrow()
    const secret = 'secret '.repeat(9)
    try {
      checkPaymentKeys([secret])
    } catch (error) {
      expect((error as QrError).message).not.toContain('secret')
    }
  })

  test('have to be in an object', () => {
    for (const wrong of [null, key, {}, [key]])
      expect(() => paymentUrl({ qrBaseUrl, ...order }, wrong as never)).toThrow(refusal('key'))
    expect(paymentUrl({ qrBaseUrl, ...order }, undefined)).not.toContain('signature')
  })
})

describe('an end', () => {
  const expiresAt = '2026-11-20T09:30:00Z'
  const at = (time: string) => ({ now: new Date(time) })
  const OVER = refusal('scan_code_expires')

  test('is the first second in which the URL is not taken', () => {
    const url = signed(order, { expiresAt })
    expect(url).toContain(`&scan_code_expires=${Date.parse(expiresAt) / 1000}&scan_code_signature=`)
    expect(verify(url, at('2026-11-20T09:29:59.999Z'))).toStrictEqual(order)
    expect(() => verify(url, at(expiresAt))).toThrow(OVER)
    expect(() => verify(url, at('2100-01-01T00:00:00Z'))).toThrow(OVER)
  })

  test('can be a Date, have an offset and parts of a second', () => {
    const url = signed(order, { expiresAt })
    for (const same of [new Date(expiresAt), '2026-11-20T10:30+01:00', '2026-11-20T09:30:00.900Z'])
      expect(signed(order, { expiresAt: same })).toBe(url)
  })

  test.each([
    ['taken away', /scan_code_expires=\d+&/, ''],
    ['put off', /(scan_code_expires=)\d+/, '$14102444800'],
    ['written with a zero', /(scan_code_expires=)/, '$10'],
    ['written with a sign', /(scan_code_expires=)/, '$1%2B'],
    ['emptied', /(scan_code_expires=)\d+/, '$1'],
    ['given twice', /(scan_code_expires=\d+)/, 'scan_code_expires=4102444800&$1'],
  ])('%s is refused, and not called over', (_, from, to) => {
    const url = signed(order, { expiresAt })
    const changed = url.replace(from, to)
    expect(changed).not.toBe(url)
    expect(() => verify(changed, at('2026-11-20T09:00:00Z'))).toThrow(WRONG)
    expect(() => verify(changed, at('2100-01-01T00:00:00Z'))).toThrow(WRONG)
  })

  test('is held against this machine’s time when no other is given', () => {
    expect(() => verify(signed(order, { expiresAt: '2001-01-01T00:00:00Z' }))).toThrow(OVER)
    expect(verify(signed(order, { expiresAt: '2900-01-01T00:00:00Z' }))).toStrictEqual(order)
  })

  test.each([
    ['tomorrow'],
    ['2026-11-20'],
    ['2026-11-20T09:30:00'],
    ['2026-02-30T09:30:00Z'],
    ['2026-06-31T23:59:59+02:00'],
    ['2026-13-20T09:30:00Z'],
    [''],
    [1_795_426_200],
    [new Date(Number.NaN)],
    ['1969-12-31T23:59:59Z'],
    [null],
  ])('is not %j', wrong => {
    expect(() => signed(order, { expiresAt: wrong as string })).toThrow(refusal('expiresAt'))
  })

  test.each([[new Date(Number.NaN)], ['2026-11-20T09:30:00Z'], [null]])('is not held against %j', now => {
    expect(() => verify(signed(), { now: now as Date })).toThrow(refusal('now'))
  })
})

describe('a bare code', () => {
  test('needs a signature unless it is said that it does not', () => {
    for (const url of ['/T7', '/T7?', '/T7?&&', '/T7.png?scan_code_size=200', `${qrBaseUrl}/qr/T7`]) {
      expect(() => verify(url)).toThrow(WRONG)
      expect(verify(url, { bareCodes: 'accepted' })).toStrictEqual({ scanCode: 'T7' })
    }
  })

  test('is one without any parameter', () => {
    const bare = { bareCodes: 'accepted' } as const
    for (const query of ['strict=false', 'id=', '=', 'a', 'fbclid=1', 'scan_code_expires=4102444800'])
      expect(() => verify(`/T7?${query}`, bare)).toThrow(WRONG)
    expect(() => verify('/T7?scan_code_signature=AAAAAAAAAAAAAAAAAAAAAAAA', bare)).toThrow(WRONG)
  })

  test.each([['refused'], [true], [null]])('is not %j', wrong => {
    expect(() => verify(signed(), { bareCodes: wrong as 'signed' })).toThrow(refusal('bareCodes'))
  })
})

test('what it throws is a QrError', () => {
  expect(() => verify('/T7')).toThrow(QrError)
})
