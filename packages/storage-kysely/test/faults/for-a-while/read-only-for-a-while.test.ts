import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../../src/index.ts'
import { sqliteStorage } from '../../../src/sqlite/index.ts'
import { overMysql, overPostgres } from '../../engines/index.ts'
import { sqlite } from '../../engines/sqlite.ts'
import { found } from '../../inspection/checked.ts'
import { ALL, merchantId, NOW } from '../shop.ts'
import { databaseForAWhile, refusalOf, start } from './for-a-while.ts'

const { open, addressOf, pools, mysqlBeginning, ending, closing } = databaseForAWhile()

const WRITES: [name: string, write: (storage: DatabaseStorage) => Promise<unknown>][] = [
  ['a start', start],
  ['a cash up', ({ cashUps }) => cashUps.create(merchantId, { ...CASH_UP, now: NOW })],
  ['a transaction', storage => storage.transaction(start)],
]
const CASH_UP = { reference: 'c'.repeat(32), idempotencyKey: null }

overPostgres(({ create }) => {
  beforeEach(() => open(() => create({ apart: true })))

  const ask = async (statement: string) => {
    const options = '-c default_transaction_read_only=off'
    const client = new pg.Client({ connectionString: addressOf('postgres').connectionString, options })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const onlyReads = async (only: boolean) => {
    const name = new URL(addressOf('postgres').connectionString).pathname.slice(1)
    await ask(`alter database "${name}" ${only ? 'set default_transaction_read_only = on' : 'reset all'}`)
  }

  describe.each(pools)('by %s', (_, storageOf) => {
    test.each(WRITES)('%s goes well again once the database is no longer read-only', async (_, write) => {
      await onlyReads(true)
      const storage = storageOf()
      // Each connection that there may be begins while the database only reads.
      await Promise.all(Array.from({ length: 10 }, () => storage.payments.list(merchantId, {}, ALL)))
      const refused = await refusalOf(write(storage))
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(/^the database is read-only: /)
      expect(await found(storage, 'server')).toEqual([
        'problem: The sessions of this database or role are read-only, and take no writes.',
      ])
      await storage.migrate()

      await onlyReads(false)
      let refusals = 0
      while ((await refusalOf(write(storage))) && refusals < 20) refusals += 1
      // A session stays as it began: each is given up with what it refuses.
      expect(refusals).toBeLessThanOrEqual(10)
      for (let n = 0; n < 30; n++) await start(storage)
    })
  })
})

overMysql(({ create }) => {
  beforeEach(() => open(create))

  test.each(WRITES)(
    '%s goes well again once sessions no longer begin as those that only read',
    async (_, write) => {
      const { storage, lift } = mysqlBeginning('set session transaction read only')
      await Promise.all(Array.from({ length: 10 }, () => storage.payments.list(merchantId, {}, ALL)))
      expect(await found(storage, 'server')).toEqual([
        'problem: The sessions of this server are read-only, and take no writes.',
      ])
      const refused = await refusalOf(write(storage))
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(/^the database is read-only: /)
      await storage.migrate()

      lift()
      let refusals = 0
      while ((await refusalOf(write(storage))) && refusals < 20) refusals += 1
      expect(refusals).toBeLessThanOrEqual(10)
      for (let n = 0; n < 30; n++) await start(storage)
    },
  )
})

describe('SQLite', () => {
  let file: string

  beforeEach(async () => {
    await open(sqlite.create)
    file = addressOf('sqlite').file
    // Who is root may write whatever the file says: for a while this process is nobody.
    await chmod(dirname(file), 0o755)
  })

  const onlyReads = async (only: boolean) => {
    if (!only) process.seteuid?.(process.getuid?.() ?? 0)
    for (const end of ['', '-wal', '-shm']) await chmod(`${file}${end}`, only ? 0o444 : 0o644)
    if (only && process.getuid?.() === 0) process.seteuid?.(65_534)
  }

  test.skipIf(process.platform === 'win32').each(WRITES)(
    '%s goes well again once the file is no longer read-only',
    async (_, write) => {
      const other = new SqliteDatabase(file)
      ending(async () => other.close())
      other.exec('create table host (id integer)')
      const storage = closing(sqliteStorage({ file }))
      await onlyReads(true)
      try {
        expect(await storage.payments.list(merchantId, {}, ALL)).toMatchObject({ total: 0 })
        for (let n = 0; n < 2; n++) {
          const refused = await refusalOf(write(storage))
          expect(refused).toBeInstanceOf(DatabaseError)
          expect(refused.message).toMatch(/^the database file cannot be written: /)
        }
        expect(await found(storage, 'locks')).toEqual([
          'problem: The file cannot be written, and takes no payments.',
        ])
        // Nothing is to be done.
        await storage.migrate()
      } finally {
        await onlyReads(false)
      }
      await write(storage)
      await start(storage)
      expect(await found(storage, 'locks')).toEqual(['ok: The lock of the file was to be had.'])
    },
  )
})
