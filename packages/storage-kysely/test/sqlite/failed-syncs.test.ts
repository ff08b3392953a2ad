import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { CommitUnknownError, kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What SQLite says of a disk that fails while a commit is synced. */
const IO_ERROR = { code: 'SQLITE_IOERR_FSYNC' }

/** A connection to a file whose commits take place, and fail as they are synced, while `fails` says so. */
function failingAt(file: string, fails: () => boolean) {
  const database = new SqliteDatabase(file)
  const prepare = database.prepare.bind(database)
  database.prepare = ((text: string) => {
    const statement = prepare(text)
    if (text !== 'commit') return statement
    const run = statement.run.bind(statement)
    statement.run = () => {
      const done = run()
      if (fails()) throw Object.assign(new Error('disk I/O error'), IO_ERROR)
      return done
    }
    return statement
  }) as never
  return new Kysely({ dialect: new SqliteDialect({ database }) })
}

test.each([1, 3])(
  'of %i writes whose commit could not be synced nobody knows, and none is written again',
  async count => {
    const { address, drop } = await sqlite.create()
    if (address.dialect !== 'sqlite') throw new Error('not SQLite')
    const owner = sqliteStorage({ file: address.file })
    await owner.migrate()
    await openShop(owner)
    let fails = true
    const db = failingAt(address.file, () => fails)
    const storage = kyselyStorage(db, 'sqlite')
    const { payments } = storage
    const writes: Promise<unknown>[] = Array.from({ length: count }, () => payments.start(attempt(), NOW))
    // What is refused beside them is refused by what nobody knows either.
    if (count > 1) writes.push(openShop(storage))
    for (const ended of await Promise.allSettled(writes)) {
      expect(ended).toMatchObject({
        status: 'rejected',
        reason: { constructor: CommitUnknownError, cause: expect.objectContaining(IO_ERROR) },
      })
    }
    expect((await owner.payments.list(merchantId, {}, ALL)).total).toBe(count)
    fails = false
    expect((await payments.start(attempt(), NOW)).payment.id).toBe(count + 1)
    await db.destroy()
    await owner.close()
    await drop()
  },
)
