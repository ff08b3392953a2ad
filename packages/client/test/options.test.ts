import { type ClientOptions, createClient } from '@tillkit/client'
import { expect, test } from 'vitest'
import { openShop } from './shop.ts'

const apiKey = 'tk_secret'
const baseUrl = 'https://pay.example.com/v1'

test.each([
  [{ apiKey }, /^baseUrl must be an absolute https URL/],
  [{ apiKey, baseUrl: '/v1' }, /^baseUrl must be an absolute https URL/],
  [{ apiKey, baseUrl: 'https://' }, /^baseUrl must be an absolute https URL/],
  [{ apiKey, baseUrl: 'ftp://pay.example.com' }, /^baseUrl must be an absolute https URL/],
  [{ apiKey, baseUrl: `${baseUrl}?a=b` }, /^baseUrl must have no query/],
  [{ apiKey, baseUrl: 'https://k:@pay.example.com' }, /^baseUrl must have no user name/],
  [{ apiKey, baseUrl: 'http://pay.example.com/v1' }, /^baseUrl must be https: .*allowHttp/],
  [{ apiKey, baseUrl: 'http://127.0.0.1.example.com' }, /^baseUrl must be https/],
  [{ apiKey, baseUrl, allowHttp: 1 }, /^allowHttp must be/],
  [{ baseUrl }, /^apiKey must be the API key/],
  [{ baseUrl, apiKey: '' }, /^apiKey must be the API key/],
  [{ baseUrl, apiKey: 'tk_secret\n' }, /^apiKey must be the API key/],
  [{ baseUrl, apiKey, fetch: 1 }, /^fetch must be a function/],
  [{ baseUrl, apiKey, timeoutSeconds: 0 }, /^timeoutSeconds must be/],
  [{ baseUrl, apiKey, timeoutSeconds: Number.NaN }, /^timeoutSeconds must be/],
  [{ baseUrl, apiKey, retries: -1 }, /^retries must be/],
  [{ baseUrl, apiKey, qrBaseUrl: 'https://pay.example.com/qr' }, /^qrBaseUrl must not end in \/qr/],
  [{ baseUrl, apiKey, qrBaseUrl: 'https://h/SNAP/', vocabulary: { qr: 'snap' } }, /^qrBaseUrl .* \/snap:/],
  [{ baseUrl, apiKey, qrBaseUrl: 'pay.example.com' }, /^qrBaseUrl must be an absolute/],
  [{ baseUrl, apiKey, key: 'x' }, /^key is not an option/],
  [null, /^options must be an object/],
])('the options %j are refused', (options, message) => {
  expect(() => createClient(options as unknown as ClientOptions)).toThrow(message)
  try {
    createClient(options as unknown as ClientOptions)
  } catch (error) {
    expect(String(error)).not.toContain('tk_secret')
  }
})

test.each([
  ['https://pay.example.com/v1/', 'https://pay.example.com/v1/payments/7', 'https://pay.example.com'],
  ['https://pay.example.com', 'https://pay.example.com/payments/7', 'https://pay.example.com'],
  ['https://example.com/a/pay/v1', 'https://example.com/a/pay/v1/payments/7', 'https://example.com/a/pay'],
  ['http://localhost:3000/v1', 'http://localhost:3000/v1/payments/7', 'http://localhost:3000'],
  ['http://127.0.0.1/v1', 'http://127.0.0.1/v1/payments/7', 'http://127.0.0.1'],
  ['http://[::1]:8/v1', 'http://[::1]:8/v1/payments/7', 'http://[::1]:8'],
])('%s is a base address', async (address, url, qrBase) => {
  const asked: string[] = []
  const shop = createClient({
    baseUrl: address,
    apiKey,
    retries: 0,
    fetch: async asking => {
      asked.push(asking)
      throw new Error('no answer')
    },
  })
  await shop.payments.get(7).catch(() => {})
  expect(asked).toEqual([url])
  expect(shop.qr.url({ scanCode: 'a' })).toBe(`${qrBase}/qr/a`)
})

test('where the API is below the word for payment URLs, only these need an address of their own', () => {
  const scanCode = 'a'
  const shop = createClient({ baseUrl: 'https://h/qr/v1', apiKey })
  expect(() => shop.qr.url({ scanCode })).toThrow(/^qrBaseUrl must be given, .* baseUrl .* \/qr:/)
  expect(() => shop.qr.imageUrl({ scanCode })).toThrow(/^qrBaseUrl must be given/)
  const given = createClient({ baseUrl: 'https://h/qr/v1', apiKey, qrBaseUrl: 'https://h' })
  expect(given.qr.url({ scanCode })).toBe('https://h/qr/a')

  const vocabulary = { qr: 'snap' }
  const other = createClient({ baseUrl: 'https://h/qr/v1', apiKey, vocabulary })
  expect(other.qr.url({ scanCode })).toBe('https://h/qr/snap/a')
  const snap = createClient({ baseUrl: 'https://h/snap/v1', apiKey, vocabulary })
  expect(() => snap.qr.url({ scanCode })).toThrow(/^qrBaseUrl must be given, .* \/snap:/)
})

test('http to another machine, where it is asked for', () => {
  expect(() => createClient({ baseUrl: 'http://till.local/v1', apiKey, allowHttp: true })).not.toThrow()
})

test('what a call cannot take is refused by name, and nothing is asked', async () => {
  const { shop, requests } = await openShop()
  const { payments, cashUps } = shop
  const refused: [() => unknown, RegExp][] = [
    [() => payments.get('7' as never), /^id must be/],
    [() => payments.get(1.5), /^id must be/],
    [() => payments.list({ merchantRef: 'x' } as never), /^merchantRef is not one of startDate/],
    [() => payments.list({ merchantReference: '' }), /^merchantReference must be text/],
    [() => payments.list({ merchantReference: null } as never), /^merchantReference must be text/],
    [() => payments.list({ startDate: new Date(Number.NaN) }), /^startDate must be a valid Date/],
    [() => payments.list({ perPage: 101 }), /^perPage must be a whole number, 1 to 100/],
    [() => payments.list({ page: 0 }), /^page must be a whole number, 1 or more/],
    [() => payments.list({ offset: -1 }), /^offset must be/],
    [async () => payments.all({ page: 2 } as never), /^page is not one of/],
    [async () => payments.all({ perPage: 1 }), /^perPage must be a whole number, 2 to 100/],
    [() => payments.waitFor({}), /^query must have a merchantReference/],
    [() => payments.waitFor({ merchantReference: undefined }), /^merchantReference must not be undefined/],
    [() => payments.waitFor({ status: 'pending' } as never), /^status cannot be waited for/],
    [() => payments.waitFor({ scanCode: 'a' }, { timeoutSeconds: -1 }), /^timeoutSeconds must be/],
    [() => cashUps.create({ idempotencyKey: '' }), /^idempotencyKey must be/],
    [() => cashUps.create({ idempotencyKey: 'x'.repeat(256) }), /^idempotencyKey must be/],
    [() => cashUps.list({ status: 'x' } as never), /^status is not one of page/],
    [async () => cashUps.payments('..'), /^reference must be that of a cash up/],
    [async () => cashUps.payments('ab', { waitSeconds: Number.POSITIVE_INFINITY }), /^waitSeconds must be/],
  ]
  for (const [call, message] of refused) await expect(call).rejects.toThrow(message)
  expect(requests).toEqual([])
})
