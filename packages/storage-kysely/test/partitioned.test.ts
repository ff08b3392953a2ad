import { storageConformance } from '@tillkit/storage/conformance'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { type Address, type HostTables, hostDatabaseAt, storageAt } from './engines/address.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overEveryServer } from './engines/index.ts'

/** Every table that grows with payments or time. Its keys start with the merchant, so it can be spread by the merchant. */
const GROWING = [
  'ledgers',
  'payments',
  'payment_blocks',
  'cash_ups',
  'deliveries',
  'delivery_attempts',
  'failing_endpoints',
]
const PARTITIONS = 4

async function partition(db: Kysely<HostTables>, { dialect }: Address): Promise<void> {
  for (const name of GROWING) {
    const table = sql.table(`tillkit_${name}`)
    if (dialect === 'mysql') {
      await sql`alter table ${table} partition by key (merchant_id) partitions ${sql.lit(PARTITIONS)}`.execute(
        db,
      )
      continue
    }
    const whole = sql.table(`whole_${name}`)
    await sql`alter table ${table} rename to ${sql.ref(`whole_${name}`)}`.execute(db)
    await sql`create table ${table} (like ${whole} including all) partition by hash (merchant_id)`.execute(db)
    for (let n = 0; n < PARTITIONS; n++) {
      await sql`create table ${sql.table(`tillkit_${name}_${n}`)} partition of ${table}
        for values with (modulus ${sql.lit(PARTITIONS)}, remainder ${sql.lit(n)})`.execute(db)
    }
    await sql`drop table ${whole}`.execute(db)
  }
}

overEveryServer(({ create }) => {
  describe('spread over partitions by merchant', () => {
    let opened: Promise<{ database: TestDatabase; storage: DatabaseStorage }> | undefined
    const openOnce = async () => {
      const database = await create()
      const storage = storageAt(database.address)
      await storage.migrate()
      const db = hostDatabaseAt(database.address)
      await partition(db, database.address)
      await db.destroy()
      return { database, storage }
    }

    afterAll(async () => {
      const { database, storage } = (await opened) ?? {}
      await storage?.close()
      await database?.drop()
    })

    // Partitions take long to make: one store for all capabilities.
    storageConformance({ describe, test, expect }, async () => {
      opened ??= openOnce()
      return { storage: (await opened).storage, close: async () => {} }
    })
  })
})
