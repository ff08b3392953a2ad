import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { hostDatabaseAt, placeOf, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { openSession } from '../faults/session.ts'

overEveryServer(({ create }) => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.drop())

  const migrateAsHost = async () => {
    const host = await createUser(database.address, 'select, insert, update, delete')
    const storage = storageAt(host.address)
    try {
      await storage.migrate({ contract: false })
    } finally {
      await storage.close()
      await host.drop()
    }
  }

  test('who may change no table migrates where nothing is to be done', async () => {
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    await migrateAsHost()
  })

  test('nor is an index that is gone a reason not to start', async () => {
    const { dialect } = database.address
    const owner = storageAt(database.address)
    await owner.migrate()
    const session = await openSession(database.address)
    const table = session.table('deliveries')
    const index = table.replace(/tillkit_deliveries/, 'tillkit_deliveries_delivered')
    await session.run(dialect === 'mysql' ? `drop index ${index} on ${table}` : `drop index ${index}`)
    await session.close()
    await migrateAsHost()
    expect(await owner.migrationsLeft()).toMatchObject([
      { step: 'build', index: 'tillkit_deliveries_delivered' },
    ])
    await owner.migrate()
    expect(await owner.migrationsLeft()).toEqual([])
    await owner.close()
  })

  test('an index that is new is not left out', async () => {
    const { dialect } = database.address
    const db = hostDatabaseAt(database.address)
    // Indexes of tables that were there: what keeps those apart who build some is there as well.
    await migrateTo(db, dialect, placeOf(database.address), '0001-initial')
    await db.destroy()
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    const session = await openSession(database.address)
    const table = session.table('statements')
    const index = table.replace(/tillkit_statements/, 'tillkit_statements_newest')
    await session.run(`delete from ${session.table('migrations')} where name = '0009-settlements'`)
    await session.run(dialect === 'mysql' ? `drop index ${index} on ${table}` : `drop index ${index}`)
    await session.close()
    await expect(migrateAsHost()).rejects.toThrow(/^the user of the database may not do this: /)
  })

  test('where something is to be done that is refused', async () => {
    const db = hostDatabaseAt(database.address)
    await migrateTo(db, database.address.dialect, placeOf(database.address), '0005-payment-blocks')
    await db.destroy()
    await expect(migrateAsHost()).rejects.toThrow(/^the user of the database may not do this: /)
  })
})
