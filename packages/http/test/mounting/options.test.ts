import {
  type MerchantApiOptions,
  merchantApi,
  type QrEndpointsOptions,
  qrEndpoints,
  TillError,
} from '@tillkit/http'
import { expect, test } from 'vitest'
import { untouchable } from '../fixture.ts'

const refusal = (make: () => unknown) => {
  try {
    make()
  } catch (error) {
    if (error instanceof TillError && error.code === 'invalid_input') return error.message
    throw error
  }
  return 'accepted'
}

const shared: [options: object, names: string][] = [
  [{ https: 'on' }, 'https'],
  [{ http: 'off' }, 'http is not a known name'],
  [{ rateLimits: true }, 'rateLimits'],
  [{ rateLimits: { perAddress: 60 } }, 'rateLimits.perAddress'],
  [{ rateLimits: { perMerchant: 60 } }, 'rateLimits.perMerchant'],
  [{ rateLimits: { perAddress: null } }, 'rateLimits.perAddress must be a limiter of'],
  ...[0, -1, Number.NaN].map((points): [object, string] => [
    { rateLimits: { perAddress: { points, consume() {}, get() {} } } },
    'rateLimits.perAddress must be a limiter that allows one request at least',
  ]),
  [{ logger: { error: 5 } }, 'logger'],
]

test.each([
  ...shared,
  [{ rateLimits: { perKey: { consume() {} } } }, 'rateLimits.perKey'],
  [{ rateLimits: { perKey: { consume() {}, get() {}, points: 0 } } }, 'rateLimits.perKey'],
  [{ cors: true }, 'cors'],
  [{ cors: {} }, 'cors.origins'],
  [{ cors: { origins: ['https://shop.example.com/'] } }, 'cors.origins.0'],
  [{ cors: { origins: ['*'] } }, 'cors.origins.0'],
  [{ cors: { origins: [], credentials: true } }, 'cors.credentials'],
] as [object, string][])('merchantApi refuses %j', (options, names) => {
  expect(refusal(() => merchantApi(untouchable, options as MerchantApiOptions))).toContain(names)
})

test.each([
  ...shared,
  [{ qrBaseUrl: undefined }, 'qrBaseUrl'],
  [{ qrBaseUrl: 'pay.example.com' }, 'qrBaseUrl'],
  [{ qrBaseUrl: 'https://pay.example.com/?a=1' }, 'qrBaseUrl'],
  [{ qrBaseUrl: 'https://pay.example.com/#a' }, 'qrBaseUrl'],
  [{ qrBaseUrl: 'https://pay.example.com/qr' }, 'qrBaseUrl must not end in /qr'],
  [{ qrBaseUrl: 'https://pay.example.com/shop/qr/' }, 'qrBaseUrl must not end in /qr'],
  [{ qrBaseUrl: 'http://pay.example.com' }, 'qrBaseUrl must be an https address'],
  [{ qrBaseUrl: 'HTTP://pay.example.com', https: 'required' }, 'qrBaseUrl must be an https address'],
  [{ onScan: 'page.html' }, 'onScan'],
  [{ rateLimits: { perKey: {} } }, 'rateLimits.perKey'],
] as [object, string][])('qrEndpoints refuses %j', (options, names) => {
  const all = { qrBaseUrl: 'https://pay.example.com', ...options } as QrEndpointsOptions
  expect(refusal(() => qrEndpoints(untouchable, all))).toContain(names)
})

test('what is not a till is refused', () => {
  expect(refusal(() => merchantApi({} as never))).toContain('till')
  expect(refusal(() => qrEndpoints(undefined as never, { qrBaseUrl: 'https://pay.example.com' }))).toContain(
    'till',
  )
})
