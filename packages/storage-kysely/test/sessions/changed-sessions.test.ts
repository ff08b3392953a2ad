import type { Storage } from '@tillkit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  CommitUnknownError,
  DatabaseError,
  type DatabaseStorage,
  kyselyStorage,
  migrate,
} from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import type { Engine, TestDatabase } from '../engines/engine.ts'
import { overMysql, overPostgres } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What a host's other code leaves on connections of its pool, after Tillkit has looked at them. */
let database: TestDatabase
let owner: ReturnType<typeof storageAt>
let ends: (() => Promise<unknown>)[]

async function setUp({ create }: Engine): Promise<Address> {
  ends = []
  database = await create()
  owner = storageAt(database.address)
  await owner.migrate()
  await openShop(owner)
  ends.push(() => owner.close())
  return database.address
}

afterEach(async () => {
  for (const end of ends.reverse()) await end()
  await database.drop()
})

const listed = async (storage: Storage) => (await storage.payments.list(merchantId, {}, ALL)).items

/** Every write is refused in words that match, or is there; and after that all goes on. */
async function refusedOrKept(storage: Storage, said: RegExp): Promise<void> {
  const before = await listed(owner)
  const refused = await storage.payments.start(attempt({ userReference: 'ħ’é' }), NOW).catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(said)
  expect(await listed(owner)).toEqual(before)
  const { payment } = await storage.payments.start(attempt({ userReference: 'ħ’é' }), NOW)
  expect(await owner.payments.get(payment)).toEqual(payment)
}

overPostgres(engine => {
  let url: string
  let schema: string

  beforeEach(async () => {
    const address = await setUp(engine)
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    url = address.connectionString
    schema = address.schema
  })

  const poolOf = () => {
    const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path="${schema}"` })
    ends.push(() => pool.end())
    return pool
  }

  test('another encoding is refused as soon as the server tells of it', async () => {
    const pool = poolOf()
    const storage = postgresStorage({ pool, ...PATIENT })
    await listed(storage)
    for (const encoding of ['LATIN1', 'SQL_ASCII', 'WIN1252']) {
      await pool.query(`set client_encoding = '${encoding}'`)
      await refusedOrKept(storage, new RegExp(`client_encoding is ${encoding}: set client_encoding to UTF8`))
    }
  })

  const leave = async (pool: pg.Pool, statements: string) => {
    const client = await pool.connect()
    await client.query(statements).catch(() => {})
    client.release()
  }

  test('a transaction that was left open is not written into', async () => {
    const pool = poolOf()
    const storage = postgresStorage({ pool, ...PATIENT })
    await listed(storage)
    for (const left of ['begin', 'begin; select 1/0']) {
      await leave(pool, left)
      await refusedOrKept(storage, /with a transaction that was left open/)
    }
  })

  test('nor one that has failed, which pg hears a moment later than who left it', async () => {
    const pool = poolOf()
    pool.on('connect', client => {
      client.getTransactionStatus = () => 'I'
    })
    const storage = postgresStorage({ pool, ...PATIENT })
    await listed(storage)
    for (let times = 0; times < 2; times++) {
      await leave(pool, 'begin; select 1/0')
      await refusedOrKept(storage, /with a transaction that was left open/)
    }
  })

  test('a transaction whose begin is still on its way is not written into either, nor committed', async () => {
    const pool = poolOf()
    const storage = postgresStorage({ pool, ...PATIENT })
    await listed(storage)
    const { payment } = await storage.payments.start(attempt(), NOW)
    const strict = attempt({ strict: true, merchantReference: 'order-1', requiredAmount: 100 })
    const writes: (() => Promise<unknown>)[] = [
      () => storage.payments.start(attempt(), NOW),
      () => storage.payments.start(strict, NOW),
      () => storage.payments.resolve(payment, { status: 'completed' }, NOW),
      () => storage.transaction(inside => inside.payments.start(attempt(), NOW)),
    ]
    const ofTheHost = ['begin', `create table "${schema}".of_the_host (id int)`]
    // A begin that follows upon another alone is not refused by the server.
    for (const [write, statements] of writes.flatMap(one =>
      [1, 2].map(n => [one, ofTheHost.slice(0, n)] as const),
    )) {
      // Of a session that has been looked at: a new one is refused as it is.
      await listed(storage)
      const client = await pool.connect()
      const sent = statements.map(statement => client.query(statement))
      client.release()
      const refused: unknown = await write().catch(error => error)
      await Promise.all(sent)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused).not.toBeInstanceOf(CommitUnknownError)
      expect((refused as Error).message).toMatch(/with a transaction that was left open/)
      const { rows } = await pool.query(`select to_regclass('"${schema}".of_the_host') as found`)
      expect(rows).toEqual([{ found: null }])
      expect(await listed(owner)).toEqual([payment])
    }
  })

  test('nor one of whose state pg says nothing, as before 8.17', async () => {
    const pool = poolOf()
    pool.on('connect', client => {
      client.getTransactionStatus = undefined as never
    })
    const storage = postgresStorage({ pool, ...PATIENT })
    // The first of them is met by a session that Tillkit has not used before.
    for (let times = 0; times < 3; times++) {
      await leave(pool, 'begin')
      await refusedOrKept(storage, /with a transaction that was left open/)
    }
  })

  test.each(['discard all', 'deallocate all'])(
    'statements that a session has forgotten are prepared anew: %s',
    async forget => {
      const pool = poolOf()
      const storage = postgresStorage({ pool, ...PATIENT })
      const sell = async () => {
        const { payment } = await storage.payments.start(attempt(), NOW)
        await storage.payments.resolve(payment, { status: 'completed' }, NOW)
        expect((await listed(storage))[0]).toEqual({ ...payment, status: 'completed' })
      }
      await sell()
      for (let times = 0; times < 2; times++) {
        await pool.query(forget)
        await sell()
      }
      const client = await pool.connect()
      const sent = client.query(forget)
      client.release()
      await sell()
      await sent
      expect((await listed(owner)).length).toBe(4)
    },
  )

  test('a session that was reset is looked at again: what was set when it was made is gone', async () => {
    const pool = new pg.Pool({
      ...{ connectionString: url, max: 1 },
      options: `-c search_path="${schema}" -c array_nulls=off`,
    })
    ends.push(() => pool.end())
    pool.on('connect', client => void client.query('set array_nulls = on'))
    const storage = postgresStorage({ pool, ...PATIENT })
    await listed(storage)
    await pool.query('discard all')
    await refusedOrKept(storage, /array_nulls is off/)
  })

  test('a session that forgot them unheard is used for one call more at most', async () => {
    const pool = poolOf()
    const storage = postgresStorage({ pool, ...PATIENT })
    // The first one's connection is new, and what waits for that is another statement.
    for (let n = 0; n < 2; n++) await storage.payments.start(attempt({ userReference: 'ħ’é' }), NOW)
    await pool.query(`do $$ begin execute 'deallocate all'; end $$`)
    await refusedOrKept(storage, /prepared statement/)
  })

  const kinds: [string, (pool: pg.Pool) => Storage][] = [
    ['a pool', pool => postgresStorage({ pool, ...PATIENT })],
    [
      'a pool beside a replica',
      pool => postgresStorage({ pool, replica: { connectionString: url }, ...PATIENT }),
    ],
    [
      'a Kysely',
      pool => kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool }) }), 'postgres', PATIENT),
    ],
  ]
  test.each(kinds)('another search path leads to no other tables, by %s', async (_, open) => {
    const another = `${schema} 2`
    const second = postgresStorage({ connectionString: url, ...PATIENT }, { schema: another })
    await second.migrate()
    await openShop(second)
    ends.push(async () => {
      await poolOf().query(`drop schema "${another}" cascade`)
      await second.close()
    })
    const pool = poolOf()
    const storage = open(pool)
    ends.push(async () => (storage as Partial<DatabaseStorage>).close?.())
    await listed(storage)
    await pool.query(`set search_path = "${another}"`)
    const { payment } = await storage.payments.start(attempt(), NOW)
    await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    expect(await listed(storage)).toEqual(await listed(owner))
    expect(await listed(owner)).toEqual([{ ...payment, status: 'completed' }])
    expect(await listed(second)).toEqual([])
  })

  test('tables that are not there yet are found when they are', async () => {
    const later = `${schema} 3`
    const pool = poolOf()
    ends.push(() => poolOf().query(`drop schema "${later}" cascade`))
    await pool.query(`create schema "${later}"; set search_path = "${later}"`)
    const storage = postgresStorage({ pool, ...PATIENT })
    await expect(listed(storage)).rejects.toThrow(/no Tillkit tables yet/)
    await storage.migrate()
    await openShop(storage)
    await pool.query(`set search_path = "${schema}"`)
    await storage.payments.start(attempt(), NOW)
    expect((await listed(storage)).length).toBe(1)
    expect(await listed(owner)).toEqual([])
  })

  test('and so they are by a Kysely, whose session is looked at again', async () => {
    const later = `${schema} 4`
    const pool = poolOf()
    ends.push(() => poolOf().query(`drop schema "${later}" cascade`))
    await pool.query(`create schema "${later}"; set search_path = "${later}"`)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const storage = kyselyStorage(db, 'postgres', PATIENT)
    await expect(listed(storage)).rejects.toThrow(/no Tillkit tables yet/)
    await migrate(db, 'postgres')
    await openShop(storage)
    await pool.query(`set search_path = "${schema}"`)
    await storage.payments.start(attempt(), NOW)
    expect((await listed(storage)).length).toBe(1)
    expect(await listed(owner)).toEqual([])
  })
})

overMysql(engine => {
  let uri: string

  beforeEach(async () => {
    const address = await setUp(engine)
    if (address.dialect !== 'mysql') throw new Error('not MySQL')
    uri = address.uri
  })

  const poolOf = () => {
    const pool = mysql.createPool({ uri, connectionLimit: 1 })
    ends.push(() => pool.promise().end())
    return pool
  }

  describe('what would change the meaning of a text is refused as soon as the driver knows', () => {
    test.each(['set names latin1', 'set names gbk', `set character_set_client = 'sjis'`])(
      '%s',
      async setting => {
        const pool = poolOf()
        const storage = mysqlStorage({ pool, ...PATIENT })
        await listed(storage)
        await pool.promise().query(setting)
        await refusedOrKept(storage, /character sets are .*make the pool with charset 'utf8mb4'/)
      },
    )
  })

  test.each(['begin', 'set autocommit = 0; select * from tillkit_merchants'])(
    'nothing is written into a transaction that was left open: %s',
    async left => {
      const pool = poolOf()
      const storage = mysqlStorage({ pool, ...PATIENT })
      await listed(storage)
      for (const statement of left.split('; ')) await pool.promise().query(statement)
      await refusedOrKept(storage, /with a transaction that was left open/)
    },
  )

  test('a single statement that was not committed was not answered as done', async () => {
    for (const setting of ['begin', 'set autocommit = 0']) {
      const pool = poolOf()
      const storage = mysqlStorage({ pool, ...PATIENT })
      await listed(storage)
      await pool.promise().query(setting)
      const refused = await storage.merchants.setWebhookKey(merchantId, setting).catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused).not.toBeInstanceOf(CommitUnknownError)
      expect(refused.message).toMatch(/autocommit is off|with a transaction that was left open/)
      expect(await storage.merchants.setWebhookKey(merchantId, setting)).toBe(true)
    }
  })

  test.each([
    ['a pool', () => ({})],
    ['a pool beside a replica', () => ({ replica: { uri } })],
  ])('another database that was made the current one is not looked into, by %s', async (_, beside) => {
    const another = new URL(uri)
    another.pathname = `${another.pathname}_2`
    const name = another.pathname.slice(1)
    const pool = poolOf()
    await pool.promise().query(`create database \`${name}\``)
    ends.push(() => poolOf().promise().query(`drop database \`${name}\``))
    const second = mysqlStorage({ uri: another.href, ...PATIENT })
    await second.migrate()
    await openShop(second)
    ends.push(() => second.close())
    const storage = mysqlStorage({ pool, ...beside(), ...PATIENT })
    ends.push(() => storage.close())
    await listed(storage)
    await pool.promise().query(`use \`${name}\``)
    const { payment } = await storage.payments.start(attempt(), NOW)
    expect(await listed(storage)).toEqual([payment])
    expect(await listed(owner)).toEqual([payment])
    expect(await listed(second)).toEqual([])
  })
})
