import { chmodSync } from 'node:fs'
import { open } from 'node:fs/promises'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

let file: string
let drop: () => Promise<void>

beforeEach(async () => {
  const database = await sqlite.create()
  if (database.address.dialect !== 'sqlite') throw new Error('not SQLite')
  file = database.address.file
  drop = database.drop
  const storage = sqliteStorage({ file })
  await storage.migrate()
  await openShop(storage)
  await storage.close()
})

afterEach(() => drop())

test('a disk that fills up among writes that share a transaction: each is there or was refused', async () => {
  const database = new SqliteDatabase(file)
  const db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const storage = kyselyStorage(db, 'sqlite')
  // As SQLite calls a disk with no room left.
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 12}`)
  const acknowledged: number[] = []
  const refused: Error[] = []
  for (let rounds = 0; rounds < 6; rounds++) {
    const sizes = [10, 10, 4000, 10, 7000, 10, 10]
    const starts = sizes.map((size, n) =>
      storage.payments.start(
        attempt({ extra: { note: `${rounds}`.repeat(size) }, attemptKey: `${rounds} ${n}` }),
        NOW,
      ),
    )
    for (const ended of await Promise.allSettled(starts)) {
      if (ended.status === 'fulfilled') acknowledged.push(ended.value.payment.id)
      else refused.push(ended.reason)
    }
  }
  for (const error of refused) {
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error.message).toMatch(/^the disk of the database is full: /)
    expect(error.cause).toMatchObject({ code: 'SQLITE_FULL' })
  }
  const { items } = await storage.payments.list(merchantId, {}, ALL)
  expect(items.map(({ id }) => id).reverse()).toEqual(acknowledged)
  expect(acknowledged.length).toBeLessThan(42)
  // There is room again: the next id follows.
  database.pragma('max_page_count = 1000000')
  expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(acknowledged.length + 1)
  await db.destroy()
})

test('a file that is damaged while it is used is said to be', async () => {
  const storage = sqliteStorage({ file })
  for (let n = 0; n < 40; n++)
    await storage.payments.start(attempt({ extra: { note: 'x'.repeat(4000) } }), NOW)
  await storage.close()
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096)
  await handle.close()
  const again = sqliteStorage({ file })
  const refused = await again.payments.list(merchantId, {}, ALL).catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/damaged/)
  await again.close()
})

test('a file that may not be written is read, and a write says why it was refused', async () => {
  // Root may write anything.
  if (process.getuid?.() === 0) {
    const database = new SqliteDatabase(file, { readonly: true })
    const storage = kyselyStorage(new Kysely({ dialect: new SqliteDialect({ database }) }), 'sqlite')
    await expectReadOnly(storage)
    database.close()
    return
  }
  chmodSync(file, 0o444)
  const storage = sqliteStorage({ file })
  await expectReadOnly(storage)
  await storage.close()
})

async function expectReadOnly(
  storage: Pick<ReturnType<typeof kyselyStorage>, 'payments' | 'merchants'>,
): Promise<void> {
  expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
  const refused = await storage.payments.start(attempt(), NOW).catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/^the database file cannot be written: /)
  expect(refused.cause).toMatchObject({ code: expect.stringMatching(/^SQLITE_READONLY/) })
}

test('a transaction that SQLite has undone by itself, as a full disk does, holds up none that comes after', async () => {
  const storage = sqliteStorage({ file })
  const database = new SqliteDatabase(file)
  // As SQLite ends a transaction for which there is no room.
  database.exec(`create trigger undoes before insert on tillkit_payments begin
    select raise(rollback, 'no room');
  end`)
  const started = () => storage.transaction(({ payments }) => payments.start(attempt(), NOW))
  await expect(started()).rejects.toThrow()
  database.exec('drop trigger undoes')
  expect((await started()).payment.id).toBe(1)
  database.close()
  await storage.close()
})
