import type { Storage } from '@tillkit/storage'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What a policy hides from the host's role is there all the same: nothing may be said or done as if it were not. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let user: TestDatabase
  let db: Kysely<HostTables>
  let place: { schema: string }
  let url: string
  let ends: (() => Promise<unknown>)[]

  beforeEach(async () => {
    ends = []
    database = await create()
    db = hostDatabaseAt(database.address)
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    const { payment } = await owner.payments.start(attempt(), NOW)
    await owner.payments.resolve(payment, { status: 'completed' }, NOW)
    await owner.close()
    user = await createUser(database.address, 'select, insert, update, delete')
    if (user.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    place = { schema: user.address.schema }
    url = user.address.connectionString
  })

  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    await user.drop()
    await db.destroy()
    await database.drop()
  })

  const run = (statement: string) => sql.raw(statement).execute(db)
  const poolOf = () => {
    const pool = new pg.Pool({ connectionString: url })
    ends.push(() => pool.end())
    return pool
  }
  const closed = <One extends { close(): Promise<void> }>(storage: One) => {
    ends.push(() => storage.close())
    return storage
  }
  const own = () => closed(postgresStorage({ connectionString: url, ...PATIENT }, place))
  const shared = () =>
    closed(postgresStorage({ connectionString: url, preparedStatements: false, ...PATIENT }, place))
  const hosted = () => closed(postgresStorage({ pool: poolOf(), ...PATIENT }, place))
  const hostedKysely = () =>
    kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool: poolOf() }) }), 'postgres', {
      ...PATIENT,
      ...place,
    })

  async function expectRefused(storage: Storage): Promise<void> {
    for (const call of [
      () => storage.payments.get({ merchantId, id: 1 }),
      () => storage.payments.list(merchantId, {}, ALL),
      () => storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW),
    ]) {
      const refused = await call().catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(/row-level security.* tillkit_payments|"tillkit_payments"/)
    }
  }

  test('a pool of its own that was there before it refuses to read by halves, and reads again once it is off', async () => {
    const storage = own()
    expect((await storage.payments.get({ merchantId, id: 1 }))?.status).toBe('completed')
    await run('alter table tillkit_payments enable row level security')
    await expectRefused(storage)
    const due = { now: NOW, leaseUntil: '2026-11-20T09:31:00.000Z', limit: 1 }
    await expect(storage.deliveries.claim(due)).rejects.toThrow(DatabaseError)
    await run('alter table tillkit_payments disable row level security')
    expect((await storage.payments.get({ merchantId, id: 1 }))?.status).toBe('completed')
    expect(await storage.deliveries.claim(due)).toMatchObject([{ payment: { id: 1 } }])
  })

  test.each([
    ['a pool of its own', own],
    ['a pool of its own that may be a pooler’s', shared],
    ['a host’s pool', hosted],
    ['a host’s Kysely', hostedKysely],
  ])('%s is refused where rows are hidden, until they are not', async (_, open) => {
    await run('alter table tillkit_payments enable row level security')
    await run(`create policy of_some on tillkit_payments using (id > 1)`)
    const storage = open()
    await expectRefused(storage)
    await run('alter table tillkit_payments disable row level security')
    expect((await storage.payments.get({ merchantId, id: 1 }))?.status).toBe('completed')
  })

  test.each([
    ['for updates', 'on tillkit_payments for update using (true)'],
    ['of another role', 'on tillkit_payments to current_user using (true)'],
    ['of another table', 'on tillkit_merchants using (true)'],
  ])('a policy %s lets it read nothing', async (_, policy) => {
    await run('alter table tillkit_payments enable row level security')
    await run(`create policy of_all ${policy}`)
    await expectRefused(hosted())
  })

  test.each([
    ['a pool of its own that may be a pooler’s', shared],
    ['a host’s pool', hosted],
    ['a host’s Kysely', hostedKysely],
  ])('%s is let in by a policy that lets it read all rows, and by no other beside it', async (_, open) => {
    await run('alter table tillkit_payments enable row level security')
    await run('create policy of_all on tillkit_payments using (true)')
    const storage = open()
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(2)
    await run('create policy but_few on tillkit_payments as restrictive using (id > 1)')
    await expectRefused(open())
  })

  test('it hides nothing from whom it does not apply to', async () => {
    await run('alter table tillkit_payments enable row level security')
    const storage = closed(storageAt(database.address))
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(2)
    const ofHost = kyselyStorage(db, 'postgres', { ...PATIENT, ...placeOf(database.address) })
    expect((await ofHost.payments.start(attempt(), NOW)).payment.id).toBe(3)
  })
})
