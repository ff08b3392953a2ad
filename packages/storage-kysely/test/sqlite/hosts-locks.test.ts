import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

test.each([1, 5])(
  '%i writes over a host’s Kysely wait together for a lock that another connection has',
  async count => {
    const { address, drop } = await sqlite.create()
    if (address.dialect !== 'sqlite') throw new Error('not SQLite')
    const owner = sqliteStorage({ file: address.file })
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    const database = new SqliteDatabase(address.file, { timeout: 0 })
    const db = new Kysely({ dialect: new SqliteDialect({ database }) })
    const { payments } = kyselyStorage(db, 'sqlite')
    const other = new SqliteDatabase(address.file)
    // Kysely's begin takes no lock: the first write is what is refused.
    other.exec('begin immediate')
    const starts = Array.from({ length: count }, () => payments.start(attempt(), NOW))
    await sleep(20)
    other.exec('rollback')
    const ids = (await Promise.all(starts)).map(({ payment }) => payment.id)
    expect(ids).toEqual(Array.from({ length: count }, (_, n) => n + 1))
    other.close()
    await db.destroy()
    await drop()
  },
)

test.each(['transaction of the host', 'lock of another connection'])(
  'writes over a host’s Kysely that wait for a %s end in time, and are not written after it',
  async what => {
    const { address, drop } = await sqlite.create()
    if (address.dialect !== 'sqlite') throw new Error('not SQLite')
    const owner = sqliteStorage({ file: address.file })
    await owner.migrate()
    await openShop(owner)
    const database = new SqliteDatabase(address.file, { timeout: 0 })
    const db = new Kysely({ dialect: new SqliteDialect({ database }) })
    const { payments } = kyselyStorage(db, 'sqlite', { writeTimeoutSeconds: 0.5 })
    const other = new SqliteDatabase(address.file)
    const ofHost = what === 'transaction of the host' ? await db.startTransaction().execute() : undefined
    if (!ofHost) other.exec('begin immediate')
    const start = () => payments.start(attempt(), NOW).catch(error => error)
    const first = [start(), start()]
    await sleep(20)
    for (const refused of await Promise.all([...first, start(), start()])) {
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toBe('the database did not answer within 0.5 seconds')
    }
    await ofHost?.rollback().execute()
    if (!ofHost) other.exec('rollback')
    expect((await payments.start(attempt(), NOW)).payment.id).toBe(1)
    expect((await owner.payments.list(merchantId, {}, ALL)).total).toBe(1)
    other.close()
    await db.destroy()
    await owner.close()
    await drop()
  },
)

/** Begins as some dialects of hosts do, by taking the lock, and commits when it is told to. */
class Immediate extends SqliteDialect {
  tries = 0
  toCommit = Promise.resolve()

  override createDriver() {
    const driver = super.createDriver()
    driver.beginTransaction = async connection => {
      this.tries += 1
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }
    const commit = driver.commitTransaction.bind(driver)
    driver.commitTransaction = async connection => {
      await this.toCommit
      await commit(connection)
    }
    return driver
  }
}

test('a write that was refused the lock at first, and has begun since, is told as it ends, however long that takes', async () => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const owner = sqliteStorage({ file: address.file })
  await owner.migrate()
  await openShop(owner)
  const dialect = new Immediate({ database: new SqliteDatabase(address.file, { timeout: 0 }) })
  const db = new Kysely({ dialect })
  const { payments } = kyselyStorage(db, 'sqlite', { writeTimeoutSeconds: 2 })
  const other = new SqliteDatabase(address.file)
  other.exec('begin immediate')
  const late = sleep(2500)
  dialect.toCommit = late
  const starting = payments.start(attempt(), NOW)
  while (dialect.tries < 2) await sleep(5)
  other.exec('rollback')
  expect((await starting).payment.id).toBe(1)
  expect((await owner.payments.list(merchantId, {}, ALL)).total).toBe(1)
  other.close()
  await db.destroy()
  await owner.close()
  await drop()
})
