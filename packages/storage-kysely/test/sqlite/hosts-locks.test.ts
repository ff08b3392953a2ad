import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
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
