import { openApiDocument } from '@tillkit/openapi'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { comparedSoFar, compareWith, newComplaints } from './watched-http.ts'

/**
 * The tests of `@tillkit/http`, with handlers whose every answer is compared with the document. image-costs.test.ts is not among
 * them: its spy on the drawing has to be there before `@tillkit/http` is, and what it is answered, these are answered too.
 */
vi.mock('@tillkit/http', async importOriginal => {
  const { watchedHttp } = await import('./watched-http.ts')
  return watchedHttp(await importOriginal())
})

compareWith(openApiDocument({ serverUrl: 'https://pay.example.org/v1' }))
afterEach(() => expect(newComplaints()).toEqual([]))
afterAll(() => expect(comparedSoFar()).toBeGreaterThan(15_000))

await import('../../http/test/api/list-payments.test.ts')
await import('../../http/test/api/get-payment.test.ts')
await import('../../http/test/api/cash-ups.test.ts')
await import('../../http/test/keys/authentication.test.ts')
await import('../../http/test/keys/bursts.test.ts')
await import('../../http/test/mounting/cors.test.ts')
await import('../../http/test/requests/hostile-requests.test.ts')
await import('../../http/test/requests/https.test.ts')
await import('../../http/test/requests/masked-errors.test.ts')
await import('../../http/test/requests/pagination.test.ts')
await import('../../http/test/requests/parameters.test.ts')
await import('../../http/test/requests/paths.test.ts')
await import('../../http/test/qr/qr.test.ts')
await import('../../http/test/keys/rate-limits.test.ts')
await import('../../http/test/requests/request-id.test.ts')
await import('../../http/test/keys/signed-urls.test.ts')
await import('../../http/test/keys/suspended.test.ts')
await import('../../http/test/requests/unavailable.test.ts')
