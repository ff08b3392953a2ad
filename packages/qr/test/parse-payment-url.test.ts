import { parsePaymentUrl, QrError } from '@tillkit/qr'
import { describe, expect, test } from 'vitest'

describe('parsePaymentUrl', () => {
  test.each([
    'https://pay.example.com/qr/Table_7?id=5',
    'HTTP://localhost:3000/shop/qr/Table_7?id=5',
    '/qr/Table_7?id=5',
    '/shop/qr/Table_7?id=5',
    '/Table_7?id=5',
    '/Table_7/?id=5',
    'Table_7?id=5',
    '/qr/Table_7.svg?id=5',
    '/Table_7.png?scan_code_size=200&id=5',
    'https://pay.example.com/qr/Table_7?id=5#top',
  ])('reads %s', url => {
    expect(parsePaymentUrl(url)).toStrictEqual({ scanCode: 'Table_7', merchantReference: '5' })
  })

  test('gives the names that a payment starts with, and only those that are there', () => {
    expect(parsePaymentUrl('/T7?id=o-1&amount=0129&strict=true&waiter=Zo%C3%AB')).toStrictEqual({
      scanCode: 'T7',
      merchantReference: 'o-1',
      requiredAmount: 129,
      strict: true,
      extra: { waiter: 'Zoë' },
    })
    expect(parsePaymentUrl('/T7')).toStrictEqual({ scanCode: 'T7' })
    expect(parsePaymentUrl('/T7?')).toStrictEqual({ scanCode: 'T7' })
    expect(parsePaymentUrl('/T7?strict=false')).toStrictEqual({ scanCode: 'T7' })
  })

  test.each([
    ['a=one+two%2Bthree', { a: 'one two+three' }],
    ['a+b=1', { 'a b': '1' }],
    ['a=1&b=2&a=3', { a: '3', b: '2' }],
    ['a&b=&=c', { a: '', b: '', '': 'c' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1?2', { a: '1?2' }],
    ['?a=1', { '?a': '1' }],
    ['a=%zz%', { a: '%zz%' }],
    ['a=%ff', { a: '\ufffd' }],
    ['a=%EF%BB%BFb', { a: '\ufeffb' }],
    ['ID=1&Amount=x', { ID: '1', Amount: 'x' }],
    ['a=1&scan%5Fcode_size=9&scan_code_size=x', { a: '1' }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ])('reads the extra parameters of %s', (query, extra) => {
    expect(parsePaymentUrl(`/T7?${query}`).extra).toEqual(extra)
  })

  test('of an order, bytes that are no UTF-8 are refused: two orders would be one', () => {
    for (const id of ['B%F81', 'B%E51', '%ff', '%EF%BF', '%EF%BF%BD%ff', '\ud800']) {
      const fault = { code: 'invalid_input', parameter: 'id', message: 'id must be UTF-8' }
      expect(() => parsePaymentUrl(`/T7?strict=true&id=${id}`)).toThrow(expect.objectContaining(fault))
    }
    const vocabulary = { id: 'order' }
    expect(() => parsePaymentUrl('/T7?order=%F8', { vocabulary })).toThrow('order must be UTF-8')
    expect(parsePaymentUrl('/T7?order=1&id=%F8', { vocabulary }).extra).toEqual({ id: '\ufffd' })
    for (const id of ['%EF%BF%BD', '%ef%bf%bd', '\ufffd'])
      expect(parsePaymentUrl(`/T7?id=${id}`).merchantReference).toBe('\ufffd')
    expect(parsePaymentUrl('/T7?id=Zo%C3%AB+%zz').merchantReference).toBe('Zoë %zz')
  })

  test('takes __proto__ for a name like any other', () => {
    const { extra = {} } = parsePaymentUrl('/T7?__proto__=evil&a=1')
    expect(Object.entries(extra)).toEqual([
      ['__proto__', 'evil'],
      ['a', '1'],
    ])
    expect(Object.getPrototypeOf(extra)).toBe(Object.prototype)
    expect(({} as { evil?: unknown }).evil).toBeUndefined()
  })

  test('knows a percent-encoded name', () => {
    expect(parsePaymentUrl('/T7?%69d=5&am%6Funt=7')).toStrictEqual({
      scanCode: 'T7',
      merchantReference: '5',
      requiredAmount: 7,
    })
  })

  test.each([
    ['id', '/T7?id=1&id=1'],
    ['id', '/T7?id=1&%69d=2'],
    ['id', '/T7?id=a%00b'],
    ['amount', '/T7?amount=1&amount=1'],
    ['amount', '/T7?amount='],
    ['amount', '/T7?amount=1.5'],
    ['amount', '/T7?amount=-1'],
    ['amount', '/T7?amount=+1'],
    ['amount', '/T7?amount=1e3'],
    ['amount', '/T7?amount=0x10'],
    ['amount', '/T7?amount=%D9%A1'],
    ['amount', '/T7?amount=9007199254740992'],
    ['amount', '/T7?amount=9007199254740993'],
    ['amount', `/T7?amount=${'9'.repeat(400)}`],
    ['strict', '/T7?strict=true&strict=true'],
    ['strict', '/T7?strict='],
    ['strict', '/T7?strict=1'],
    ['strict', '/T7?strict=TRUE'],
    ['extra', '/T7?a=%00'],
    ['extra', '/T7?%00=a'],
    ['scanCode', ''],
    ['scanCode', '/'],
    ['scanCode', '/qr/.png'],
    ['path', '/qr//qr/'],
    ['scanCode', '/a.b'],
    ['scanCode', '/a.png.svg'],
    ['scanCode', '/a%2Db'],
    ['scanCode', `/${'a'.repeat(65)}`],
    ['path', '/shop/T7'],
    ['path', 'shop/T7'],
    ['path', 'https://pay.example.com/T7'],
    ['path', 'https://pay.example.com'],
    ['path', 'ftp://pay.example.com/qr/T7'],
    ['url', undefined],
  ])('names %s: %s', (parameter, url) => {
    expect(() => parsePaymentUrl(url as string)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        parameter,
        message: expect.stringMatching(`^${parameter} must `),
      }),
    )
    expect(() => parsePaymentUrl(url as string)).toThrow(QrError)
  })
})
