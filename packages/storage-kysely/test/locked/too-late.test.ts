import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import { CommitUnknownError, DatabaseError, kyselyStorage } from '../../src/index.ts'
import { PATIENT, placeOf } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overPostgres } from '../engines/index.ts'
import { blocked, openSession } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

/** Writes by a host's Kysely of one connection, whose time is over before it is known what becomes of them. */
overPostgres(({ create }) => {
  const shop = inAShop(create)
  let pool: pg.Pool
  let db: Kysely<unknown>

  beforeEach(() => {
    const { address } = shop.database
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    // A statement by itself is told by the host how long to wait for a lock.
    const options = '-c lock_timeout=200'
    pool = new pg.Pool({ connectionString: address.connectionString, max: 1, options })
    db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  })

  afterEach(() => db.destroy())

  const storageWith = (limits: TimeLimits) =>
    kyselyStorage(db, 'postgres', { ...limits, ...placeOf(shop.database.address) })

  /** What a start ends in, whose time is over while it waits, which `waits` may look for; `goOn` then ends the wait. */
  async function startedTooLate(
    strict: boolean,
    goOn: () => unknown,
    waits: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    const { payments } = storageWith({ ...PATIENT, writeTimeoutSeconds: 3 })
    const starting = payments.start(attempt({ strict }), NOW).catch(error => error)
    await waits()
    const refused = await starting
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    await goOn()
    // Whatever is still done for it has been by the time that the only connection answers.
    await db.executeQuery(CompiledQuery.raw('select 1'))
    expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(0)
    expect((await payments.start(attempt(), NOW)).payment.id).toBe(1)
  }

  // By one statement, and by several.
  const FORMS = [false, true]

  test.each(FORMS)('for a connection: it is not sent then, strict: %s', async strict => {
    await storageWith(PATIENT).merchants.get(merchantId) // which finds where the tables are
    const held = await pool.connect()
    await startedTooLate(strict, () => held.release())
  })

  test.each(FORMS)('for a lock: it is not committed then, strict: %s', async strict => {
    const holder = await openSession(shop.database.address)
    await holder.run('begin')
    await holder.run(
      `select * from ${holder.table('ledgers')} where merchant_id = '${merchantId}' for update`,
    )
    // Looked for before the time is over: nothing waits for long after that.
    await startedTooLate(
      strict,
      () => holder.run('rollback'),
      () => blocked(shop.database.address),
    )
    await holder.close()
  })
})
