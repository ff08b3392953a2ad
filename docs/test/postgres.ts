import { ownPostgres } from '@tillkit/servers'
import { afterAll, describe } from 'vitest'

/** A PostgreSQL server of this test file's own, or why there is none. */
const server = await ownPostgres().catch((error: Error) => error)

/** Runs tests over that server; where it could not be started they are skipped by name, in CI they fail. */
export function overPostgres(work: (url: string) => void): void {
  if (!(server instanceof Error)) {
    describe('over PostgreSQL', () => {
      afterAll(() => server.remove())
      work(server.url)
    })
    return
  }
  if (process.env.CI === 'true') throw server
  describe.skip(`over PostgreSQL: ${server.message}`, () => work(''))
}
