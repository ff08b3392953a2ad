import { ownMariadb } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { afterAll, describe, expect, test } from 'vitest'
import { DatabaseError } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { type Address, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { askMysql, startedOr } from '../../inspection/servers.ts'

const { server, why } = await startedOr(() =>
  ownMariadb({
    settings: { 'innodb-online-alter-log-max-size': '65536', 'innodb-sort-buffer-size': '65536' },
  }),
)

/** Writes so many deliveries, from an id on. */
const written = (from: number, count: number) => `insert into tillkit_deliveries
  (merchant_id, payment_id, state, attempts, fence, created_at, last_attempt_at)
  select 'shop', ${from} + seq, 'delivered', 1, 1, utc_timestamp(3), utc_timestamp(3) from seq_1_to_${count}`

describe.skipIf(!server)(`MariaDB that has little room for what is written beside a build${why}`, () => {
  afterAll(() => server?.remove())

  test('says which index that was too much for, and what to set', async () => {
    const uri = server?.url ?? ''
    const address: Address = { dialect: 'mysql', uri }
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'mysql', {}, '0001-initial')
    await db.destroy()
    await askMysql(uri, written(0, 200_000))
    const storage = storageAt(address)
    const writer = await mysql.createConnection(uri)
    let isOver = false
    const migrated = storage.migrate().finally(() => {
      isOver = true
    })
    migrated.catch(() => {})
    for (let id = 200_000; !isOver; id += 200) await writer.query(written(id, 200))
    const refused = await migrated.catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(
      /index tillkit_deliveries_delivered of tillkit_deliveries.*innodb_online_alter_log_max_size/,
    )
    await askMysql(uri, 'set global innodb_online_alter_log_max_size = 134217728')
    await storage.migrate()
    await writer.end()
    await storage.close()
  })
})
