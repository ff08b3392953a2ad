import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { besideAnother } from './beside-another.ts'

const at = besideAnother()
beforeEach(() => openShop(at.storage))

/** The host's own, which waits for no lock. */
const hostDatabase = () => new SqliteDatabase(at.file, { timeout: 0 })

test.each([1, 5])(
  '%i writes over a host’s Kysely wait together for a lock that another connection has',
  async count => {
    const db = new Kysely({ dialect: new SqliteDialect({ database: hostDatabase() }) })
    const { payments } = kyselyStorage(db, 'sqlite')
    // Kysely's begin takes no lock: the first write is what is refused.
    at.other.exec('begin immediate')
    const starts = Array.from({ length: count }, () => payments.start(attempt(), NOW))
    await sleep(20)
    at.other.exec('rollback')
    const ids = (await Promise.all(starts)).map(({ payment }) => payment.id)
    expect(ids).toEqual(Array.from({ length: count }, (_, n) => n + 1))
    await db.destroy()
  },
)

test.each(['transaction of the host', 'lock of another connection'])(
  'writes over a host’s Kysely that wait for a %s end in time, and are not written after it',
  async what => {
    const db = new Kysely({ dialect: new SqliteDialect({ database: hostDatabase() }) })
    const { payments } = kyselyStorage(db, 'sqlite', { writeTimeoutSeconds: 0.5 })
    const ofHost = what === 'transaction of the host' ? await db.startTransaction().execute() : undefined
    if (!ofHost) at.other.exec('begin immediate')
    const start = () => payments.start(attempt(), NOW).catch(error => error)
    const first = [start(), start()]
    await sleep(20)
    for (const refused of await Promise.all([...first, start(), start()])) {
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toBe('the database did not answer within 0.5 seconds')
    }
    await ofHost?.rollback().execute()
    if (!ofHost) at.other.exec('rollback')
    expect((await payments.start(attempt(), NOW)).payment.id).toBe(1)
    expect((await at.storage.payments.list(merchantId, {}, ALL)).total).toBe(1)
    await db.destroy()
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
  const dialect = new Immediate({ database: hostDatabase() })
  const db = new Kysely({ dialect })
  const { payments } = kyselyStorage(db, 'sqlite', { writeTimeoutSeconds: 2 })
  at.other.exec('begin immediate')
  dialect.toCommit = sleep(2500)
  const starting = payments.start(attempt(), NOW)
  while (dialect.tries < 2) await sleep(5)
  at.other.exec('rollback')
  expect((await starting).payment.id).toBe(1)
  expect((await at.storage.payments.list(merchantId, {}, ALL)).total).toBe(1)
  await db.destroy()
})
