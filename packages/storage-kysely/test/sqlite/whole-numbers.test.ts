import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseError, kyselyStorage, migrate } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

test('a connection that gives whole numbers as bigint is refused at its first use, and nothing is written by it', async () => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const owner = sqliteStorage({ file: address.file })
  await owner.migrate()
  await openShop(owner)
  const { payment } = await owner.payments.start(attempt(), NOW)

  const database = new SqliteDatabase(address.file)
  database.defaultSafeIntegers(true)
  const db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const storage = kyselyStorage(db, 'sqlite')
  const uses = [
    () => storage.payments.resolve(payment, { status: 'completed' }, NOW),
    () => storage.payments.start(attempt(), NOW),
    () => storage.payments.get(payment),
    () => db.transaction().execute(trx => kyselyStorage(trx, 'sqlite').payments.start(attempt(), NOW)),
    () => migrate(db, 'sqlite', { tablePrefix: 'unmade_' }),
  ]
  for (const use of uses) {
    const refused: unknown = await use().catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect((refused as Error).message).toMatch(
      /gives whole numbers as bigint: make it without defaultSafeIntegers/,
    )
  }
  expect((await owner.payments.list(merchantId, {}, ALL)).items).toEqual([payment])
  const { rows } = await sql`select name from sqlite_master where name like 'unmade%'`.execute(db)
  expect(rows).toEqual([])
  await db.destroy()
  await owner.close()
  await drop()
})
