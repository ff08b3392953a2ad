import { openApiDocument } from '@tillkit/openapi'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { type Complaints, comparing, complaintsBy } from './documented.ts'

const complaints: string[] = []
const byWords = new Map<string, Complaints>()
let compared = 0

/**
 * The tests of `@tillkit/sandbox`, whose every answer is compared with the sandbox's document. apart.test.ts is not among them: it
 * ends the database server that same-seed.test.ts has, and asks for nothing that this does not.
 */
vi.mock('@tillkit/sandbox', async importOriginal => {
  const original = await importOriginal<typeof import('@tillkit/sandbox')>()
  function complaintsUnder(vocabulary = {}): Complaints {
    const words = JSON.stringify(vocabulary)
    const known = byWords.get(words)
    if (known) return known
    const routes = original.sandboxRoutes
    const made = complaintsBy(
      openApiDocument({ serverUrl: 'https://pay.example.org/v1', routes, vocabulary }),
    )
    byWords.set(words, made)
    return made
  }
  return {
    ...original,
    createSandbox(...given: Parameters<typeof original.createSandbox>) {
      const sandbox = original.createSandbox(...given)
      const complaintsOf = complaintsUnder(given[1]?.api?.vocabulary)
      const checked = comparing(sandbox.handler, '', complaintsOf, complaints)
      const handler: typeof sandbox.handler = request => {
        compared += 1
        return checked(request)
      }
      return { ...sandbox, handler }
    },
  }
})

afterEach(() => expect(complaints.splice(0)).toEqual([]))
afterAll(() => expect(compared).toBeGreaterThan(500))

await import('../../sandbox/test/keys.test.ts')
await import('../../sandbox/test/payments.test.ts')
await import('../../sandbox/test/same-seed.test.ts')
await import('../../sandbox/test/sockets.test.ts')
await import('../../sandbox/test/webhooks.test.ts')
