import { type PaymentUrlOptions, paymentUrl, QrError } from '@tillkit/qr'
import { describe, expect, test } from 'vitest'

const qrBaseUrl = 'https://pay.example.com'

function problem(options: unknown): QrError {
  try {
    paymentUrl(options as PaymentUrlOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(QrError)
    return error as QrError
  }
  throw new Error('nothing was thrown')
}

describe('paymentUrl', () => {
  test('writes id, amount, strict and the extra parameters', () => {
    const url = paymentUrl({
      qrBaseUrl,
      scanCode: 'Table_7',
      merchantReference: 'order 10/23',
      requiredAmount: 12900,
      strict: true,
      extra: { waiter: 'Zoë & co', shift: '' },
    })
    expect(url).toBe(
      'https://pay.example.com/qr/Table_7?id=order%2010%2F23&amount=12900&strict=true&waiter=Zo%C3%AB%20%26%20co&shift=',
    )
  })

  test('has no query where there is nothing to say', () => {
    expect(paymentUrl({ qrBaseUrl, scanCode: 'T7' })).toBe('https://pay.example.com/qr/T7')
    expect(paymentUrl({ qrBaseUrl, scanCode: 'T7', strict: false, extra: {} })).toBe(
      'https://pay.example.com/qr/T7',
    )
  })

  test('tolerates a trailing slash and keeps a path and a port', () => {
    expect(paymentUrl({ qrBaseUrl: 'https://pay.example.com/', scanCode: 'T7' })).toBe(
      'https://pay.example.com/qr/T7',
    )
    expect(paymentUrl({ qrBaseUrl: 'http://localhost:3000/shop/', scanCode: 'T7' })).toBe(
      'http://localhost:3000/shop/qr/T7',
    )
  })

  test('writes the smallest and the largest amount in digits', () => {
    expect(paymentUrl({ qrBaseUrl, scanCode: 'T7', requiredAmount: 0 })).toContain('?amount=0')
    expect(paymentUrl({ qrBaseUrl, scanCode: 'T7', requiredAmount: -0 })).toMatch(/\?amount=0$/)
    expect(paymentUrl({ qrBaseUrl, scanCode: 'T7', requiredAmount: 2 ** 53 - 1 })).toContain(
      '?amount=9007199254740991',
    )
  })

  test.each([
    ['qrBaseUrl', { qrBaseUrl: '' }],
    ['qrBaseUrl', { qrBaseUrl: undefined }],
    ['qrBaseUrl', { qrBaseUrl: '/pay' }],
    ['qrBaseUrl', { qrBaseUrl: 'pay.example.com' }],
    ['qrBaseUrl', { qrBaseUrl: 'ftp://pay.example.com' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://' }],
    ['qrBaseUrl', { qrBaseUrl: 'https:///pay' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://pay.example.com:99999' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://pay.example.com/a b' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://zoë.example.com' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://pay.example.com\n' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://pay.example.com?shop=1' }],
    ['qrBaseUrl', { qrBaseUrl: 'https://pay.example.com#shop' }],
    ['scanCode', { scanCode: '' }],
    ['scanCode', { scanCode: undefined }],
    ['scanCode', { scanCode: 'a/b' }],
    ['scanCode', { scanCode: 'a.png' }],
    ['scanCode', { scanCode: 'a\n' }],
    ['scanCode', { scanCode: 'a'.repeat(65) }],
    ['merchantReference', { merchantReference: 5 }],
    ['merchantReference', { merchantReference: 'a\0' }],
    ['merchantReference', { merchantReference: 'half \ud83d' }],
    ['requiredAmount', { requiredAmount: -1 }],
    ['requiredAmount', { requiredAmount: 1.5 }],
    ['requiredAmount', { requiredAmount: 2 ** 53 }],
    ['requiredAmount', { requiredAmount: Number.NaN }],
    ['requiredAmount', { requiredAmount: '5' }],
    ['strict', { strict: 'true' }],
    ['extra', { extra: null }],
    ['extra', { extra: ['a'] }],
    ['extra', { extra: { a: 5 } }],
    ['extra', { extra: { 'a\0': '5' } }],
    ['extra', { extra: { a: '\0' } }],
    ['extra', { extra: { id: '5' } }],
    ['extra', { extra: { amount: '5' } }],
    ['extra', { extra: { strict: 'true' } }],
    ['extra', { extra: { scan_code_size: '200' } }],
  ])('names %s: %j', (parameter, options) => {
    const error = problem({ qrBaseUrl, scanCode: 'T7', ...options })
    expect(error).toMatchObject({ name: 'QrError', code: 'invalid_input', parameter })
    expect(error.message).toBe(`${parameter} ${error.problem}`)
  })

  test('says which extra name is taken', () => {
    expect(problem({ qrBaseUrl, scanCode: 'T7', extra: { amount: '5' } }).message).toContain(
      'the name amount',
    )
  })
})
