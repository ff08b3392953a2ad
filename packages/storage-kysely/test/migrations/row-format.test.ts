import { ownMariadb } from '@tillkit/servers'
import { afterAll, describe, expect, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'
import { startedOr } from '../inspection/servers.ts'

const { server, why } = await startedOr(() =>
  ownMariadb({ settings: { 'innodb-default-row-format': 'compact' } }),
)

describe.skipIf(!server)(`MariaDB whose tables are of an older row format by default${why}`, () => {
  afterAll(() => server?.remove())

  test('is migrated: the keys of Tillkit’s tables are longer than such a one takes', async () => {
    const storage = mysqlStorage({ uri: server?.url ?? '' })
    await storage.migrate()
    await openShop(storage)
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    await storage.close()
  })
})
