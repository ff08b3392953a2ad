import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { behindAProxy } from '../faults/behind-a-proxy.ts'

overPostgres(({ create }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.drop())
  const distant = behindAProxy(() => database.address)

  // What a host that starts asks first, and last.
  test.each([/pg_inherits/, /pg_attribute/, /pg_dist_partition/])(
    'the connection is cut at %s: asked again',
    async pattern => {
      await distant.storage.migrate()
      distant.proxy.cutBefore(pattern)
      await distant.storage.migrate()
      expect(distant.proxy.cuts()).toBe(1)
    },
  )
})
