import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseError, migrate } from '../../src/index.ts'
import { changedAddress, hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'

overPostgres(({ create }) => {
  /** A database whose tables are found by the search path alone, and that has another schema before theirs. */
  const withSchemaBefore = async () => {
    const { address, drop } = await create({ apart: true })
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const by = (path: string) =>
      changedAddress(address, url => url.searchParams.set('options', `-c search_path=${path}`))
    const opened = storageAt(by(`"${address.schema}"`), { schema: undefined })
    await opened.migrate()
    await openShop(opened)
    await opened.payments.start(attempt(), NOW)
    const db = hostDatabaseAt(address)
    await sql`create schema before`.execute(db)
    return { address, db, opened, drop, by: by(`before,"${address.schema}"`) }
  }

  test('tables are not made anew in a schema that has come to stand before theirs', async () => {
    const { address, db, opened, drop, by } = await withSchemaBefore()
    const storage = storageAt(by, { schema: undefined })
    const said = `the search path leads to tables in ${address.schema}, and new ones would be made in before, which comes before it: name the one with the option schema`
    for (const call of [
      storage.migrate,
      () => storage.migrate({ contract: false }),
      storage.migrationsLeft,
    ]) {
      const refused = await call().catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toBe(said)
    }
    await sql.raw(`set search_path = before, "${address.schema}"`).execute(db)
    const { rows } = await sql`select from pg_tables where schemaname = 'before'`.execute(db)
    expect(rows).toEqual([])
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(2)
    expect((await opened.payments.start(attempt(), NOW)).payment.id).toBe(3)
    for (const one of [storage, opened]) await one.close()
    await db.destroy()
    await drop()
  })

  test('nor anywhere where the path leads to no schema', async () => {
    const { address, drop } = await create({ apart: true })
    const nowhere = changedAddress(address, url => url.searchParams.set('options', '-c search_path=nowhere'))
    const storage = storageAt(nowhere, { schema: undefined })
    const said =
      'the search path leads to no schema that is there: make one, or name one with the option schema'
    for (const call of [storage.migrate, storage.migrationsLeft]) {
      const refused = await call().catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toBe(said)
    }
    await storage.close()
    await drop()
  })

  test('whoever names the schema has them there, or new ones', async () => {
    const { address, db, opened, drop, by } = await withSchemaBefore()
    const [there, anew] = [address.schema, 'before'].map(schema => storageAt(by, { schema }))
    for (const one of [there, anew]) {
      await one?.migrate()
      expect(await one?.migrationsLeft()).toEqual([])
    }
    expect(await there?.merchants.list({ limit: 10 })).toHaveLength(1)
    expect(await anew?.merchants.list({ limit: 10 })).toEqual([])
    // It is the first one by now that has them.
    const found = storageAt(by, { schema: undefined })
    await found.migrate()
    expect(await found.merchants.list({ limit: 10 })).toEqual([])
    await migrate(db, 'postgres')
    for (const one of [there, anew, found, opened]) await one?.close()
    await db.destroy()
    await drop()
  })
})
