import { merchantApi, type QrEndpointsOptions, qrEndpoints } from '@tillkit/http'
import type { Till } from '@tillkit/till'
import { RateLimiterMemory, type RateLimiterRedis } from 'rate-limiter-flexible'
import { expectTypeOf, test } from 'vitest'

/** Compiled, never run: `tsc` fails where one of these lines does not. */
function wrong(till: Till) {
  // @ts-expect-error one of two words
  merchantApi(till, { https: 'on' })
  // @ts-expect-error a name that is none
  merchantApi(till, { http: 'off' })
  // @ts-expect-error limiters, not numbers
  merchantApi(till, { rateLimits: { perKey: 100 } })
  // @ts-expect-error there is no such limit
  merchantApi(till, { rateLimits: { perMerchant: new RateLimiterMemory({}) } })
  // @ts-expect-error no limits is false
  merchantApi(till, { rateLimits: true })
  // @ts-expect-error origins are a list
  merchantApi(till, { cors: { origins: '*' } })
  // @ts-expect-error a logger has warn and error
  merchantApi(till, { logger: { error() {} } })
  // @ts-expect-error QR codes carry an address
  qrEndpoints(till, {})
  // @ts-expect-error there is no key to count by
  qrEndpoints(till, { qrBaseUrl: '', rateLimits: { perKey: new RateLimiterMemory({}) } })
  // @ts-expect-error the answer is a response
  qrEndpoints(till, { qrBaseUrl: '', onScan: () => 'page' })
}

test('what wrong options there are does not compile, and what is right does', () => {
  expectTypeOf(wrong).toBeFunction()
  expectTypeOf<QrEndpointsOptions>().toHaveProperty('qrBaseUrl').toEqualTypeOf<string>()
  expectTypeOf({
    perKey: {} as RateLimiterRedis,
    perAddress: {} as RateLimiterMemory,
  }).toExtend<Exclude<Parameters<typeof merchantApi>[1], undefined>['rateLimits']>()
  expectTypeOf(console).toExtend<Exclude<Parameters<typeof merchantApi>[1], undefined>['logger']>()
})
