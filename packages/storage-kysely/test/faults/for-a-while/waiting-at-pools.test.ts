import type { Storage } from '@tillkit/storage'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../../src/index.ts'
import { mysqlStorage } from '../../../src/mysql/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { type Address, placeOf } from '../../engines/address.ts'
import { inAShop } from '../../engines/in-a-shop.ts'
import { overMysql, overPostgres } from '../../engines/index.ts'
import { type CuttingProxy, startProxy } from '../proxy.ts'
import { byPort, serverOf } from '../session.ts'
import { attempt, NOW } from '../shop.ts'

/** What a pool makes when nobody says how many, and how many ask a Kysely at once. */
const [SIZE, ASKING] = [10, 100]

/** How many calls come at once. */
const CALLS = 40
/** How many may wait at a pool that is short. */
const WAITING = 20

const PATIENCE = { timeout: 20_000 }

/** So short that a test need not wait. */
const HASTY = { lockTimeoutSeconds: 0.5, readTimeoutSeconds: 0.5, writeTimeoutSeconds: 0.5 }

/** Pools that a host made, and how they are watched. */
interface HostPool {
  storage: Storage
  /** Of a Kysely of the host's over a pool like it. */
  hosted: Storage
  /** How many it has had wait at once, at most. */
  mostWaiting(): number
  end(): Promise<void>
}

interface Options {
  /** Lets nobody wait for long, or not many. */
  isShort?: boolean
  size?: number
}

type Make = (address: Address, options: Options) => HostPool

const overPostgresPool: Make = (address, { isShort, size = SIZE }) => {
  const { connectionString } = address as { connectionString: string }
  const connectionTimeoutMillis = isShort ? 200 : 0
  const names = placeOf(address)
  let most = 0
  const pools = [1, 2].map(() => {
    const pool = new pg.Pool({ connectionString, connectionTimeoutMillis, max: size })
    pool.on('error', () => {})
    pool.on('connect', client => client.on('error', () => {}))
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
    pool.connect = ((...args: unknown[]) => {
      const connected = connect(...args)
      most = Math.max(most, pool.waitingCount)
      return connected
    }) as typeof pool.connect
    return pool
  }) as [pg.Pool, pg.Pool]
  return {
    storage: postgresStorage({ pool: pools[0], ...HASTY }, names),
    hosted: kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool: pools[1] }) }), 'postgres', {
      ...HASTY,
      ...names,
    }),
    mostWaiting: () => most,
    end: async () => void (await Promise.all(pools.map(pool => pool.end()))),
  }
}

const overMysqlPool: Make = (address, { isShort, size = SIZE }) => {
  const { uri } = address as { uri: string }
  let most = 0
  const pools = [1, 2].map(() => {
    const pool = mysql.createPool({
      uri,
      queueLimit: isShort ? WAITING : 0,
      connectTimeout: isShort ? 200 : 10_000,
      connectionLimit: size,
    })
    let waiting = 0
    // It says when somebody begins to wait, and not when that ends: here nobody's does.
    pool.on('enqueue', () => {
      waiting += 1
      most = Math.max(most, waiting)
    })
    return pool
  }) as [mysql.Pool, mysql.Pool]
  return {
    storage: mysqlStorage({ pool: pools[0], ...HASTY }),
    hosted: kyselyStorage(new Kysely({ dialect: new MysqlDialect({ pool: pools[1] }) }), 'mysql', HASTY),
    mostWaiting: () => most,
    end: async () => {
      await Promise.all(pools.map(pool => new Promise(resolve => pool.end(resolve))))
    },
  }
}

describe.each([
  ['PostgreSQL', overPostgres, overPostgresPool],
  ['MariaDB or MySQL', overMysql, overMysqlPool],
] as const)('a pool of a host’s whose server, %s, is silent', (_, over, makePool) => {
  over(({ create }) => {
    const shop = inAShop(create)
    let proxy: CuttingProxy
    let pool: HostPool
    beforeEach(async () => {
      proxy = await startProxy(serverOf(shop.database.address))
    })
    afterEach(async () => {
      await proxy.close()
      await pool.end()
    })

    const make = (options: Options) => makePool(byPort(shop.database.address, proxy.port), options)

    /** Calls that the server never hears of, so many at once and then as many more. */
    async function call(storage: Storage, rounds: number, count = CALLS): Promise<void> {
      proxy.swallow(true)
      for (let round = 0; round < rounds; round++) {
        const calls = Array.from({ length: count }, (_, n) =>
          n % 2 === 0 ? storage.merchants.get('shop') : storage.payments.start(attempt(), NOW),
        )
        for (const ended of await Promise.allSettled(calls))
          expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
      }
      proxy.swallow(false)
    }

    test('keeps nobody who no longer waits', async () => {
      pool = make({})
      await call(pool.storage, 3)
      expect(pool.mostWaiting()).toBe(0)
    })

    test('of a Kysely’s own keeps no more than may ask at once', async () => {
      pool = make({})
      await call(pool.hosted, 6)
      expect(pool.mostWaiting()).toBe(ASKING - SIZE)
    })

    test.each(['storage', 'hosted'] as const)(
      'serves who comes when it speaks again, where it has connections left (%s)',
      async kind => {
        pool = make({ size: 5 * SIZE })
        // More than the connections that a pool has which says nothing.
        await call(pool[kind], 1, 2 * SIZE)
        await expect.poll(() => pool[kind].merchants.get('shop').catch(() => null), PATIENCE).not.toBe(null)
      },
    )

    test('that lets nobody wait without end is asked at once, and is well again when the server is', async () => {
      pool = make({ isShort: true })
      await call(pool.storage, 1)
      expect(pool.mostWaiting()).toBeGreaterThan(SIZE)
      await expect.poll(() => pool.storage.merchants.get('shop').catch(() => null), PATIENCE).not.toBe(null)
    })
  })
})
