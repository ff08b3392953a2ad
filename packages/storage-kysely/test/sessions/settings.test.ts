import type { Storage } from '@tillkit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openResults, openShop } from '../faults/shop.ts'
import { REQUEST } from '../inspection/checked.ts'

/** What a role, a database, an address or a host may have set a PostgreSQL session to. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let place: { schema: string }
  let url: string
  let ends: (() => Promise<unknown>)[]

  beforeEach(async () => {
    ends = []
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    place = { schema: database.address.schema }
    url = database.address.connectionString
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
  })

  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    await database.drop()
  })

  const withOptions = (...settings: string[]) => {
    const address = new URL(url)
    address.searchParams.set('options', settings.map(setting => `-c ${setting}`).join(' '))
    return address.href
  }
  const ownWith = (preparedStatements: boolean, settings: string[]) => {
    const ways = { connectionString: withOptions(...settings), preparedStatements, ...PATIENT }
    const storage = postgresStorage(ways, place)
    ends.push(() => storage.close())
    return storage
  }
  const own = (...settings: string[]) => ownWith(true, settings)
  /** Sets nothing for a session, which may be others' too. */
  const shared = (...settings: string[]) => ownWith(false, settings)
  const poolOf = (...settings: string[]) => {
    const pool = new pg.Pool({ connectionString: url })
    pool.on('connect', client => {
      for (const setting of settings) client.query(`set ${setting}`).catch(() => {})
    })
    ends.push(() => pool.end())
    return pool
  }
  const hosted = (...settings: string[]) => postgresStorage({ pool: poolOf(...settings), ...PATIENT }, place)
  const hostedKysely = (...settings: string[]) =>
    kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool: poolOf(...settings) }) }), 'postgres', {
      ...PATIENT,
      ...place,
    })
  async function expectRefused(storage: Storage, said: RegExp): Promise<void> {
    for (const call of [
      () => storage.payments.get({ merchantId, id: 1 }),
      () => storage.payments.start(attempt(), NOW),
    ]) {
      const refused = await call().catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(said)
    }
  }
  const kinds = [
    ['its own', own],
    ['hosted', hosted],
    ['a host’s Kysely', hostedKysely],
  ] as const

  describe.each(kinds)('a pool: %s', (kind, open) => {
    test.each(['serializable', 'repeatable\\ read'])('%s by default', async level => {
      const setting = kind === 'its own' ? level : `'${level.replace('\\', '')}'`
      const storage = open(`default_transaction_isolation=${setting}`)
      const starts = Array.from({ length: 20 }, () => storage.payments.start(attempt(), NOW))
      const ids = (await Promise.all(starts)).map(({ payment }) => payment.id)
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    })

    test('a transaction may lie idle for a minute, or for as long as it was told', async () => {
      const told = postgresStorage(
        { connectionString: url, idleTransactionTimeoutSeconds: 2, ...PATIENT },
        place,
      )
      ends.push(() => told.close())
      const idle = async ({ inspect }: Pick<Storage, 'inspect'>) =>
        (await inspect?.(REQUEST))?.settings.idle_in_transaction_session_timeout
      expect([await idle(own()), await idle(told)]).toEqual(['60000ms', '2000ms'])
    })

    test('text is text, whatever its backslashes, its nulls and its bytes', async () => {
      const storage = open(
        'standard_conforming_strings=off',
        'transform_null_equals=on',
        'bytea_output=escape',
      )
      const userReference = String.raw`a\'b\\c ' ħ`
      const { payment } = await storage.payments.start(attempt({ userReference }), NOW)
      expect(await storage.payments.get(payment)).toEqual(payment)
      const { items } = await storage.payments.list(merchantId, { userReference }, ALL)
      expect(items).toEqual([payment])
    })

    test('read-only: it is read, and a write says why it was refused', async () => {
      const storage = open('default_transaction_read_only=on')
      expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
      const refused = await storage.payments.start(attempt(), NOW).catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(/^the database is read-only/)
    })

    test('a statement timeout of the host’s is an answer', async () => {
      const storage = open('statement_timeout=200')
      const session = new pg.Client({ connectionString: url })
      await session.connect()
      await session.query('begin')
      await session.query(`lock table "${place.schema}".tillkit_ledgers`)
      const refused = await storage.payments.start(attempt(), NOW).catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.name).toBe('DatabaseError')
      expect(refused.message).toMatch(/statement timeout/)
      await session.query('rollback')
      await session.end()
    })
  })

  test('another client encoding is set right on a pool of its own, and refused on a host’s', async () => {
    const userReference = 'ħ é 漢'
    const { payment } = await own('client_encoding=LATIN1').payments.start(attempt({ userReference }), NOW)
    expect(payment.userReference).toBe(userReference)
    for (const open of [hosted, hostedKysely]) {
      const said = /client_encoding is LATIN1: set client_encoding to UTF8/
      await expectRefused(open(`client_encoding='LATIN1'`), said)
    }
  })

  describe('array_nulls = off', () => {
    test('is set right on a pool of its own', async () => {
      const storage = own('array_nulls=off')
      const payments = await Promise.all(
        Array.from({ length: 20 }, async () => (await storage.payments.start(attempt(), NOW)).payment),
      )
      // Those that wait together share a statement, and arrays.
      const ended = payments.map(one => storage.payments.resolve(one, { status: 'completed' }, NOW))
      for (const one of await Promise.all(ended)) expect(one?.payment.failure).toBe(null)
      for (const result of await openResults(storage, 20, '2026-11-20T09:31:00.000Z')) {
        expect(await storage.deliveries.record(result)).toBe(true)
      }
    })

    test.each([
      ['a host’s pool', () => hosted('array_nulls = off')],
      ['a host’s Kysely', () => hostedKysely('array_nulls = off')],
      ['a pool of its own that may be a pooler’s', () => shared('array_nulls=off')],
    ])('is refused in %s', async (_, open) => {
      await expectRefused(open(), /array_nulls is off.*set array_nulls to on/)
    })
  })

  describe('client_min_messages = error, which keeps back that the standby has not got a commit', () => {
    test('is set right on a pool of its own', async () => {
      const storage = own('client_min_messages=error')
      expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    })

    test.each([
      ['a host’s pool', () => hosted('client_min_messages = error')],
      ['a pool of its own that may be a pooler’s', () => shared('client_min_messages=error')],
    ])('is refused in %s', async (_, open) => {
      await expectRefused(open(), /client_min_messages is error.*set client_min_messages to warning/)
    })

    test('makes no difference to a host’s Kysely, which passes no warning on', async () => {
      const storage = hostedKysely('client_min_messages = error')
      expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    })
  })

  test('connections whose search paths lead to other tables are refused', async () => {
    const another = `${place.schema} 2`
    const second = postgresStorage({ connectionString: url, ...PATIENT }, { schema: another })
    await second.migrate()
    await second.close()
    let made = 0
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    pool.on('connect', client => {
      made += 1
      client.query(`set search_path = "${made === 1 ? place.schema : another}"`).catch(() => {})
    })
    const storage = postgresStorage({ pool, ...PATIENT })
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    const client = await pool.connect()
    const refused = await storage.merchants.get(merchantId).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(/name the one with the option schema$/)
    client.release()
    await pool.query(`drop schema "${another}" cascade`)
    await pool.end()
  })
})
