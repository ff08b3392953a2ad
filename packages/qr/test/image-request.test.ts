import { encodedUrl, imageRequest } from '@tillkit/qr'
import { describe, expect, test } from 'vitest'

describe('imageRequest', () => {
  test('reads the code, the type, the size and the query of the payment URL', () => {
    expect(imageRequest('/T7.png', 'scan_code_size=200&id=5')).toStrictEqual({
      scanCode: 'T7',
      type: 'png',
      size: 200,
      query: 'id=5',
    })
    expect(imageRequest('/shop/qr/T7.svg', '')).toStrictEqual({
      scanCode: 'T7',
      type: 'svg',
      size: 125,
      query: '',
    })
  })

  test.each([
    ['scan_code_size=200', ''],
    ['id=5&scan_code_size=200', 'id=5'],
    ['id=5&scan_code_size=200&a=1', 'id=5&a=1'],
    ['id=5&scan%5Fcode_size=200&a=1', 'id=5&a=1'],
    ['id=5&scan_code_size=%32%30%30', 'id=5'],
    ['&id=%zz+%20&&scan_code_size=200&b;c=%ff&=', '&id=%zz+%20&&b;c=%ff&='],
    ['?scan_code_size=7&scan_code_size=200', '?scan_code_size=7'],
    ['scan_code_sizes=7&scan_code_size=200', 'scan_code_sizes=7'],
  ])('keeps the rest of %s byte for byte', (rawQuery, query) => {
    expect(imageRequest('/T7.png', rawQuery)).toMatchObject({ size: 200, query })
  })

  test.each([
    '',
    '49',
    '501',
    '125.5',
    '-100',
    '+100',
    '1e2',
    'big',
    '1000000000000000000000',
    '%2B100',
    '٢٠٠',
  ])('refuses a size of %j', size => {
    expect(() => imageRequest('/T7.png', `scan_code_size=${size}`)).toThrow(
      'scan_code_size must be an integer from 50 to 500',
    )
  })

  test('refuses a size given twice', () => {
    expect(() => imageRequest('/T7.png', 'scan_code_size=200&scan%5fcode%5fsize=200')).toThrow(
      'scan_code_size must be given only once',
    )
  })

  test.each([
    ['path', '/T7'],
    ['path', '/shop/T7.png'],
    ['scanCode', '/.png'],
    ['scanCode', '/T7.PNG'],
    ['scanCode', '/T7.png.png'],
  ])('names %s: %s', (parameter, path) => {
    expect(() => imageRequest(path, '')).toThrow(
      expect.objectContaining({ code: 'invalid_input', parameter }),
    )
  })
})

test('encodedUrl puts the query back as it was', () => {
  const qrBaseUrl = 'https://pay.example.com/'
  expect(encodedUrl({ qrBaseUrl, scanCode: 'T7', query: 'id=%zz+&&' })).toBe(
    'https://pay.example.com/qr/T7?id=%zz+&&',
  )
  expect(encodedUrl({ qrBaseUrl, scanCode: 'T7', query: '' })).toBe('https://pay.example.com/qr/T7')
  expect(() => encodedUrl({ qrBaseUrl: 'pay', scanCode: 'T7', query: '' })).toThrow('qrBaseUrl')
})
