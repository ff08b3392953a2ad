import type { PaymentStatus } from '@tillkit/domain'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What pg says to the server, a session at a time. */
type Spoken = Record<'parse' | 'describe', number>

overPostgres(({ create }) => {
  let database: TestDatabase
  let pools: pg.Pool[]

  beforeEach(async () => {
    database = await create()
    pools = []
  })

  afterEach(async () => {
    for (const pool of pools) await pool.end()
    await database.drop()
  })

  /** A storage over a pool of the host's, with what is said over each of its connections. */
  function open(options: pg.PoolConfig = {}) {
    const { address } = database
    if (address.dialect !== 'postgres') throw new Error('only PostgreSQL has such queries')
    const { connectionString, schema } = address
    const sessions: Spoken[] = []
    const pool = new pg.Pool({ connectionString, max: 1, ...options })
    pools.push(pool)
    pool.on('connect', client => {
      const spoken = { parse: 0, describe: 0 }
      const { connection } = client as unknown as {
        connection: Record<keyof Spoken, (given: object) => void>
      }
      for (const word of ['parse', 'describe'] as const) {
        const say = connection[word].bind(connection)
        connection[word] = given => {
          spoken[word] += 1
          say(given)
        }
      }
      sessions.push(spoken)
    })
    return { storage: postgresStorage({ pool, ...PATIENT }, { schema }), pool, sessions, schema }
  }

  test('a session is asked for the columns of a statement once, and each session is', async () => {
    const { storage, pool, sessions } = open()
    await storage.migrate()
    await openShop(storage)
    const { payment } = await storage.payments.start(attempt({ userReference: 'née "Ħ"' }), NOW)
    expect(await storage.payments.get(payment)).toEqual(payment)
    const before = { ...sessions.at(-1) }
    for (let n = 0; n < 5; n++) expect(await storage.payments.get(payment)).toEqual(payment)
    expect(sessions.at(-1)).toEqual(before)

    const known = await pool.connect()
    const other = open({ max: 1 })
    expect(await other.storage.payments.get(payment)).toEqual(payment)
    expect(await other.storage.payments.get({ merchantId, id: 7 })).toBeNull()
    expect(other.sessions.at(-1)?.describe).toBeGreaterThan(0)
    known.release()
  })

  test('columns that have changed since are asked for again', async () => {
    const { storage, pool, schema } = open()
    await storage.migrate()
    await openShop(storage)
    const { payment } = await storage.payments.start(attempt(), NOW)
    for (let n = 0; n < 3; n++) expect(await storage.payments.get(payment)).toEqual(payment)
    await pool.query(`alter table "${schema}".tillkit_payments alter column total_amount type numeric(12)`)
    await pool.query(`alter table "${schema}".tillkit_payments alter column scan_code type varchar(400)`)
    for (let n = 0; n < 3; n++) {
      expect(await storage.payments.get(payment)).toEqual(payment)
      expect((await storage.payments.list(merchantId, {}, ALL)).items).toEqual([payment])
    }
  })

  test('an error is that of its own statement, and the session goes on', async () => {
    const { storage, pool, schema, sessions } = open()
    await storage.migrate()
    await openShop(storage)
    await pool.query(
      `alter table "${schema}".tillkit_payments add constraint low check (total_amount < 5000)`,
    )
    const asked = await Promise.allSettled(
      [100, 6000, 200, 7000, 300].map((totalAmount, n) =>
        storage.payments.start(attempt({ totalAmount, attemptKey: `key ${n}` }), NOW),
      ),
    )
    expect(asked.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(3)
    expect(sessions).toHaveLength(1)
  })

  test.for([{}, { pipeline: true }])(
    'of statements of ever new forms a session keeps few %o',
    async options => {
      const { storage, pool, sessions } = open(options as pg.PoolConfig)
      await storage.migrate()
      await openShop(storage)
      const names = ['scanCodeReference', 'userReference', 'merchantReference'] as const
      const said = Object.fromEntries(names.map(name => [name, 'said']))
      const { payment } = await storage.payments.start(attempt(said), NOW)
      const forms = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(set =>
        [['pending'], ['completed'], ['error'], ['pending', 'error'], undefined].flatMap(status =>
          [
            {},
            { startDate: NOW },
            { endDate: '2099-01-01T00:00:00.000Z' },
            { startDate: NOW, endDate: NOW },
          ].map(dates => ({
            ...Object.fromEntries(names.filter((_, n) => set & (1 << n)).map(name => [name, 'said'])),
            ...(status && { status: status as PaymentStatus[] }),
            ...dates,
          })),
        ),
      )
      const isUncommon = (status?: PaymentStatus[]) => status !== undefined && !status.includes('completed')
      await storage.payments.get(payment)
      for (const filter of [...forms, ...forms.slice(0, 20)]) {
        const { parse = 0 } = sessions.at(-1) ?? {}
        const { items, total } = await storage.payments.list(merchantId, filter, ALL)
        const passes = filter.status?.includes('pending') !== false && filter.endDate !== NOW
        expect({ filter, items, total }).toEqual({
          filter,
          items: passes ? [payment] : [],
          total: passes ? 1 : 0,
        })
        const listed = sessions.at(-1)?.parse ?? 0
        // Of several filters it is looked first which is the narrowest: by a statement that forms have in common.
        const narrow = names.filter(name => name in filter).length + Number(isUncommon(filter.status))
        expect([1, narrow > 1 ? 2 : 1]).toContain(listed - parse)
        expect(await storage.payments.get(payment)).toEqual(payment)
        // What is used all the time is kept, where names are.
        expect(sessions.at(-1)?.parse).toBe(listed + ('pipeline' in options ? 1 : 0))
      }
      const kept = `select count(*)::int as number from pg_prepared_statements where name like 'tillkit_%'`
      const { rows } = await pool.query(kept)
      expect(rows[0].number).toBeLessThan(130)
      expect(forms.length).toBeGreaterThan(150)
    },
  )

  test('where pg takes no queries of one’s own, it is handed its own', async () => {
    const { storage, pool } = open({ pipeline: true } as pg.PoolConfig)
    await storage.migrate()
    await openShop(storage)
    const started = await Promise.all(
      [1, 2, 3, 4].map(n => storage.payments.start(attempt({ attemptKey: `key ${n}` }), NOW)),
    )
    for (const { payment } of started) expect(await storage.payments.get(payment)).toEqual(payment)
    const client = await pool.connect()
    expect((client as { pipeline?: boolean }).pipeline).toBe(true)
    client.release()
  })

  test('a host’s time limit for queries holds for them', async () => {
    const { storage: owner, pool: another, schema } = open()
    await owner.migrate()
    await openShop(owner)
    const { payment } = await owner.payments.start(attempt(), NOW)
    // Above what a busy server takes for any other query.
    const { storage } = open({ query_timeout: 3000 })
    await storage.payments.get(payment)
    const session = await another.connect()
    await session.query(`begin; lock table "${schema}".tillkit_payments in access exclusive mode`)
    await expect(storage.payments.get(payment)).rejects.toThrow()
    await session.query('rollback')
    session.release()
    expect(await storage.payments.get(payment)).toEqual(payment)
  })
})
