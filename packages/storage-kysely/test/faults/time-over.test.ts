import type { Storage } from '@tillkit/storage'
import mysql from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, placeOf } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession } from './session.ts'
import { attempt, merchantId, NOW } from './shop.ts'

/** A host's pool of one connection. */
interface NarrowPool {
  storageWith(limits: TimeLimits): DatabaseStorage
  /** Takes the connection; what it resolves to gives it back. */
  take(): Promise<() => void>
  /** Which session of the server it leads to. */
  session(): Promise<unknown>
  end(): Promise<unknown>
}

function narrowPool(address: Address): NarrowPool {
  if (address.dialect === 'postgres') {
    const pool = new pg.Pool({ connectionString: address.connectionString, max: 1 })
    return {
      storageWith: limits => postgresStorage({ pool, ...limits }, placeOf(address)),
      take: async () => {
        const client = await pool.connect()
        return () => client.release()
      },
      session: async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id,
      end: () => pool.end(),
    }
  }
  if (address.dialect !== 'mysql') throw new Error('SQLite has no pool')
  const pool = mysql.createPool({ uri: address.uri, connectionLimit: 1 })
  return {
    storageWith: limits => mysqlStorage({ pool, ...limits }),
    take: async () => {
      const client = await pool.promise().getConnection()
      return () => client.release()
    },
    session: async () => {
      const [rows] = await pool.promise().query<mysql.RowDataPacket[]>('select connection_id() as id')
      return rows[0]?.id
    },
    end: () => pool.promise().end(),
  }
}

const start = ({ payments }: Storage) => payments.start(attempt(), NOW)
const CALLS: [what: string, call: (storage: DatabaseStorage) => Promise<unknown>][] = [
  ['a read', ({ merchants }) => merchants.get(merchantId)],
  ['a write', start],
  ['a transaction', storage => storage.transaction(start)],
]
const HASTY = { lockTimeoutSeconds: 10, readTimeoutSeconds: 0.5, writeTimeoutSeconds: 0.5 }

/** What becomes of the only connection of a host's pool when the time of a call is over. */
overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let pool: NarrowPool

  beforeEach(() => {
    pool = narrowPool(shop.database.address)
  })

  afterEach(() => pool.end())

  test.each(CALLS)('it goes back where it comes too late: %s', async (_, call) => {
    await pool.storageWith(PATIENT).merchants.get(merchantId)
    const before = await pool.session()
    const giveBack = await pool.take()
    await expect(call(pool.storageWith(HASTY))).rejects.toThrow(DatabaseError)
    giveBack()
    expect(await pool.session()).toBe(before)
  })

  test.each(CALLS.slice(1))('it is ended where its statement is still waited for: %s', async (_, call) => {
    await pool.storageWith(PATIENT).merchants.get(merchantId)
    const before = await pool.session()
    const holder = await openSession(shop.database.address)
    await holder.run('begin')
    await holder.run(
      `select * from ${holder.table('ledgers')} where merchant_id = '${merchantId}' for update`,
    )
    await expect(call(pool.storageWith(HASTY))).rejects.toThrow(DatabaseError)
    const after = await pool.session()
    await holder.run('rollback')
    await holder.close()
    expect(after).not.toBe(before)
  })
})

test('a try that begins when the time is over is given up at once', async () => {
  const { setImmediate } = globalThis
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] })
  let tries = 0
  const connect = () => {
    tries += 1
    if (tries > 1) return new Promise<never>(() => {})
    // The time is over in the pause before the next try.
    setImmediate(() => vi.advanceTimersByTime(1_001_000))
    return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  }
  const pool = { connect, end: async () => {} }
  const { merchants } = postgresStorage({ pool, ...PATIENT, readTimeoutSeconds: 1000 })
  const refused = await merchants.get(merchantId).catch(error => error)
  vi.useRealTimers()
  expect(tries).toBe(2)
  expect(refused).toBeInstanceOf(DatabaseError)
})
