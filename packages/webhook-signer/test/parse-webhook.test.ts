import { formatWebhook, parseWebhook, type WebhookPayment } from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const payment: WebhookPayment = {
  id: 1,
  status: 'completed',
  date: '2026-11-20T09:30:00Z',
  totalAmount: 12500,
  tipAmount: null,
  scanCode: 'counter-1',
  scanCodeReference: 'Counter 1 & bar',
  userReference: null,
  statementReference: null,
  isVoucher: false,
  isVoucherRedemption: false,
  requiredAmount: 12500,
  merchantReference: 'order=7+8 100% é😀',
  authCode: '004213',
  extra: { 'a&b': 'c=d', table: '' },
}

test('the body has the one field payload, form-urlencoded', () => {
  expect(formatWebhook('{"id":1,"extra":{"a b":"é&+~*"}}')).toBe(
    'payload=%7B%22id%22%3A1%2C%22extra%22%3A%7B%22a+b%22%3A%22%C3%A9%26%2B%7E*%22%7D%7D',
  )
})

test('the payment comes back as it went in, from a string and from bytes', () => {
  const rawBody = formatWebhook(JSON.stringify(payment))
  expect(rawBody).toMatch(/^payload=[\x21-\x7e]+$/)
  expect(parseWebhook(rawBody)).toEqual(payment)
  expect(parseWebhook(Buffer.from(rawBody))).toEqual(payment)
})

test('any extra comes back as it went in', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(fc.dictionary(text, text), extra => {
      const json = JSON.stringify({ ...payment, extra })
      expect(JSON.stringify(parseWebhook(formatWebhook(json)))).toBe(json)
    }),
  )
})

test('an extra named __proto__ is a name like any other', () => {
  const { extra } = parseWebhook(formatWebhook('{"extra":{"__proto__":"x"}}'))
  expect(Object.entries(extra)).toEqual([['__proto__', 'x']])
})

test('what others call something does not change what a name is read as', () => {
  for (const ending of ['\\', '"', '\n', '\u0001', '\\"', '"\\', 'e']) {
    const given = { ...payment, extra: { size: 'L', [`wheel${ending}`]: `yes${ending}` } }
    expect(parseWebhook(formatWebhook(JSON.stringify(given)))).toStrictEqual(given)
  }
  const extra = JSON.parse('{"#0":"1","a\\"":"2","#":"3","\\u0023x":"4","__proto__":"5"}')
  const one = parseWebhook(formatWebhook(JSON.stringify({ ...payment, extra })))
  expect(Object.entries(one.extra)).toEqual(Object.entries(extra))
})

test('other fields are ignored', () => {
  expect(parseWebhook('a=1&payload=%7B%22id%22%3A1%7D&b').id).toBe(1)
})

test.each([
  ['', 'rawBody must have one field payload'],
  ['{"id":1}', 'rawBody must have one field payload'],
  ['Payload=%7B%7D', 'rawBody must have one field payload'],
  ['payload=%7B%7D&payload=%7B%7D', 'rawBody must have one field payload'],
  ['payload=', 'payload of rawBody is not JSON'],
  ['payload=%7B', 'payload of rawBody is not JSON'],
  ['payload=[]', 'payload of rawBody must be a JSON object'],
  ['payload=null', 'payload of rawBody must be a JSON object'],
  ['payload=1', 'payload of rawBody must be a JSON object'],
  ['payload=%22%7B%7D%22', 'payload of rawBody must be a JSON object'],
])('the body %o is refused', (rawBody, message) => {
  expect(() => parseWebhook(rawBody)).toThrow(new SyntaxError(message))
  expect(() => parseWebhook(Buffer.from(rawBody))).toThrow(new SyntaxError(message))
})

test('what is neither a string nor bytes is refused', () => {
  expect(() => parseWebhook({ payload: '{}' } as unknown as string)).toThrow(/^rawBody must be/)
  expect(() => formatWebhook(payment as unknown as string)).toThrow('paymentJson must be a string of JSON')
})
