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
await import('../../http/test/authentication.test.ts')
await import('../../http/test/bursts.test.ts')
await import('../../http/test/cors.test.ts')
await import('../../http/test/hostile-requests.test.ts')
await import('../../http/test/https.test.ts')
await import('../../http/test/masked-errors.test.ts')
await import('../../http/test/pagination.test.ts')
await import('../../http/test/parameters.test.ts')
await import('../../http/test/paths.test.ts')
await import('../../http/test/qr.test.ts')
await import('../../http/test/rate-limits.test.ts')
await import('../../http/test/request-id.test.ts')
await import('../../http/test/signed-urls.test.ts')
await import('../../http/test/suspended.test.ts')
await import('../../http/test/unavailable.test.ts')
