import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

test.each([
  ['count_changes = on', /has writes answer with rows: leave its pragma count_changes/],
  ['full_column_names = on', /gives columns other names: leave its pragmas short_column_names/],
  ['short_column_names = off', /gives columns other names: leave its pragmas short_column_names/],
])('a connection with %s is refused at its first use, and nothing is written by it', async (pragma, said) => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const owner = sqliteStorage({ file: address.file })
  await owner.migrate()
  await openShop(owner)

  const database = new SqliteDatabase(address.file)
  database.pragma(pragma)
  const db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const storage = kyselyStorage(db, 'sqlite')
  for (const use of [
    () => storage.payments.start(attempt(), NOW),
    () => storage.merchants.get(merchantId),
    () => db.transaction().execute(trx => kyselyStorage(trx, 'sqlite').payments.start(attempt(), NOW)),
  ]) {
    const refused: unknown = await use().catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect((refused as Error).message).toMatch(said)
  }
  expect((await owner.payments.list(merchantId, {}, ALL)).items).toEqual([])
  await db.destroy()
  await owner.close()
  await drop()
})
