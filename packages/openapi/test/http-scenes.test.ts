import { openApiDocument } from '@tillkit/openapi'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { comparing, complaintsBy } from './documented.ts'

const complaintsOf = complaintsBy(openApiDocument({ serverUrl: 'https://pay.example.org/v1' }))
const complaints: string[] = []
let compared = 0

/** The tests of `@tillkit/http`, with handlers whose every answer is compared with the document. */
vi.mock('@tillkit/http', async importOriginal => {
  const original = await importOriginal<typeof import('@tillkit/http')>()
  const watched = (handler: ReturnType<typeof original.merchantApi>, prefix: '' | '/qr') => {
    const checked = comparing(handler, prefix, complaintsOf, complaints)
    return (request: Parameters<typeof handler>[0]) => {
      compared += 1
      return checked(request)
    }
  }
  return {
    ...original,
    merchantApi: (...given: Parameters<typeof original.merchantApi>) =>
      watched(original.merchantApi(...given), ''),
    qrEndpoints: (...given: Parameters<typeof original.qrEndpoints>) => {
      const handler = original.qrEndpoints(...given)
      // What a host answers to a scan itself, it knows itself.
      return given[1]?.onScan ? handler : watched(handler, '/qr')
    },
  }
})

afterEach(() => expect(complaints.splice(0)).toEqual([]))
afterAll(() => expect(compared).toBeGreaterThan(500))

await import('../../http/test/api/list-payments.test.ts')
await import('../../http/test/api/get-payment.test.ts')
await import('../../http/test/api/cash-ups.test.ts')
await import('../../http/test/authentication.test.ts')
await import('../../http/test/cors.test.ts')
await import('../../http/test/https.test.ts')
await import('../../http/test/pagination.test.ts')
await import('../../http/test/parameters.test.ts')
await import('../../http/test/paths.test.ts')
await import('../../http/test/qr.test.ts')
await import('../../http/test/rate-limits.test.ts')
await import('../../http/test/request-id.test.ts')
await import('../../http/test/suspended.test.ts')
await import('../../http/test/unavailable.test.ts')
