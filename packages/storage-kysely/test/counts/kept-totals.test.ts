import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import {
  type Address,
  type HostTables,
  hostDatabaseAt,
  PATIENT,
  placeOf,
  storageAt,
} from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryEngine, overEveryServer, overMysql, overPostgres } from '../engines/index.ts'
import { openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { besideAnother } from '../sqlite/beside-another.ts'

const reference = 'a'.repeat(32)
/** A page past the end is of no payments: what is counted is the last that is read for it. */
const PAST = { skip: 7, limit: 1 }

/** Two payments that completed and one that failed, in a period that has ended and whose total nobody has asked for. */
async function closePeriod(storage: Pick<DatabaseStorage, 'payments' | 'cashUps'>): Promise<void> {
  await startedCompleted(storage as DatabaseStorage, 2)
  const { payment } = await storage.payments.start(attempt(), NOW)
  await storage.payments.resolve(payment, { status: 'error', failure: null }, NOW)
  await storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
}

const totalOf = async ({ cashUps }: Pick<DatabaseStorage, 'cashUps'>, slice = ALL) => {
  const page = await cashUps.payments(merchantId, reference, slice)
  return page === 'not_ready' ? page : page?.total
}

overEveryEngine(({ create }) => {
  const shop = inAShop(create)
  let db: Kysely<HostTables>
  const run = (statement: string) => sql.raw(statement).execute(db)
  const isPending = (pending: boolean) =>
    run(`update tillkit_payments set status = '${pending ? 'pending' : 'error'}' where id = 3`)
  const kept = async () => {
    const { rows } = await sql<{
      total: number | null
    }>`select completed_total as total from tillkit_cash_ups`.execute(db)
    return rows[0]?.total === null ? null : Number(rows[0]?.total)
  }

  beforeEach(async () => {
    db = hostDatabaseAt(shop.database.address)
    await closePeriod(shop.storage)
    return () => db.destroy()
  })

  test('the total of a period that is read is kept beside that', async () => {
    expect(await totalOf(shop.storage)).toBe(2)
    while ((await kept()) === null) await sleep(5)
    expect(await kept()).toBe(2)
    expect(await totalOf(shop.storage)).toBe(2)
  })

  test('no total is kept in a transaction of the host’s', async () => {
    const { address } = shop.database
    await db.transaction().execute(async trx => {
      const over = { ...PATIENT, ...placeOf(address) }
      expect(await totalOf(kyselyStorage(trx, address.dialect, over))).toBe(2)
    })
    expect(await kept()).toBe(null)
  })

  test('a storage that closes leaves nothing of it behind', async () => {
    const storage = storageAt(shop.database.address)
    expect(await totalOf(storage)).toBe(2)
    await storage.close()
    expect([2, null]).toContain(await kept())
  })

  // As by a server that has taken over from one that was lost, and has not had its last outcome.
  test('nothing is kept where a payment is pending again by then', async () => {
    const { address } = shop.database
    let found = 0
    let tried = 0
    const host = hostDatabaseAt(address, async ({ query }) => {
      if (/^select .*count\(\*\)/.test(query.sql)) {
        found += 1
        if (found === 1) await isPending(true)
      }
      if (/^update .*cash_ups/.test(query.sql)) tried += 1
    })
    const storage = kyselyStorage(host, address.dialect, { ...PATIENT, ...placeOf(address) })
    expect(await totalOf(storage, PAST)).toBe(2)
    while (tried < 1) await sleep(5)
    expect(await kept()).toBe(null)
    expect(await totalOf(storage)).toBe('not_ready')

    await run(`update tillkit_payments set status = 'completed' where id = 3`)
    expect(await totalOf(storage)).toBe(3)
    while ((await kept()) === null) await sleep(5)
    expect(await kept()).toBe(3)
    await host.destroy()
  })
})

overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let session: Session

  beforeEach(async () => {
    await closePeriod(shop.storage)
    session = await openSession(shop.database.address)
    return () => session.close()
  })

  const locked = async (table: string) => {
    await session.run('begin')
    await session.run(`select * from ${session.table(table)} where merchant_id = '${merchantId}' for update`)
  }

  test('a period is read while the merchant’s writes wait for a lock', async () => {
    const storage = storageAt(shop.database.address, {}, { ...PATIENT, lockTimeoutSeconds: 10 })
    await locked('ledgers')
    const writes = Promise.allSettled(
      Array.from({ length: 9 }, (_, n) =>
        storage.cashUps.create(merchantId, { reference: `${n}`.repeat(32), idempotencyKey: null, now: NOW }),
      ),
    )
    const ended = writes.then(() => 'once they had ended')
    for (let n = 0; n < 3; n++) expect(await Promise.race([totalOf(storage), ended])).toBe(2)
    await session.run('rollback')
    await writes
    await storage.close()
  })

  test('a period is read while another session has its row', async () => {
    await locked('cash_ups')
    for (let n = 0; n < 3; n++) expect(await totalOf(shop.storage)).toBe(2)
    await session.run('rollback')
  })
})

/** A period of a shop whose server has the sessions of a storage only read. */
const readOnly = (create: Engine['create'], open: (address: Address) => OnlyReading) => {
  const shop = inAShop(create)

  test('a period is read, again and again, where nothing may be written', async () => {
    await closePeriod(shop.storage)
    const { storage, end } = open(shop.database.address)
    for (let n = 0; n < 3; n++) expect(await totalOf(storage)).toBe(2)
    await expect(storage.payments.start(attempt(), NOW)).rejects.toThrow(/^the database is read-only: /)
    await storage.close()
    await end()
  })
}

interface OnlyReading {
  storage: DatabaseStorage
  end(): Promise<void>
}

overPostgres(({ create }) =>
  readOnly(create, address => {
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { connectionString, schema } = address
    const pool = new pg.Pool({ connectionString, options: '-c default_transaction_read_only=on' })
    return { storage: postgresStorage({ pool, ...PATIENT }, { schema }), end: () => pool.end() }
  }),
)

overMysql(({ create }) =>
  readOnly(create, address => {
    if (address.dialect !== 'mysql') throw new Error('not MySQL')
    const pool = mysql.createPool({ uri: address.uri, charset: 'utf8mb4' })
    pool.on('connection', client => client.query('set session transaction read only'))
    return { storage: mysqlStorage({ pool, ...PATIENT }), end: () => pool.promise().end() }
  }),
)

describe('SQLite', () => {
  const at = besideAnother()

  test('a period is read while another process has the lock of the file', async () => {
    await openShop(at.storage)
    await closePeriod(at.storage)
    at.other.exec('begin immediate')
    for (let n = 0; n < 3; n++) expect(await totalOf(at.storage)).toBe(2)
    at.other.exec('rollback')
  })
})
