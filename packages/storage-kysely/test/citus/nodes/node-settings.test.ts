import { DatabaseError, type Storage } from '@tillkit/storage'
import type { IsolationLevel } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { kyselyStorage } from '../../../src/index.ts'
import { type PostgresStorage, postgresStorage } from '../../../src/postgres/index.ts'
import { hostDatabaseAt, PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../../faults/shop.ts'
import { connectTo, placeOf } from '../place-of.ts'

const BEFORE = '2026-11-20T09:00:00.000Z'
const LATER = '2099-01-01T00:00:00.000Z'

/**
 * What a node has of its own, by its `postgresql.conf` or, here, for the role at that node alone, is seen by nobody who asks the coordinator:
 * the node itself refuses to write. Under load, with shards that moved, one whose transactions are serializable lost payments.
 */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let role: string
  let node: pg.Client
  /** Over the role's own Kysely, whose calls are transactions by themselves at the node, and over pools of Tillkit's. */
  let own: PostgresStorage[]
  let hosted: Storage
  let db: ReturnType<typeof hostDatabaseAt>

  beforeEach(async () => {
    database = await createOnCitus()
    role = `host of ${database.schema}`
    await askCitus(`create role "${role}" login superuser`)
    await openShop(database.storage)
    node = await connectTo(database.connectionString, await placeOf(database.schema, merchantId))
    await node.query('set citus.enable_alter_role_set_propagation = off')
    const url = new URL(database.connectionString)
    url.username = encodeURIComponent(role)
    const { schema } = database
    own = [true, false].map(directToNodes =>
      postgresStorage({ connectionString: url.href, directToNodes, ...PATIENT }, { schema }),
    )
    db = hostDatabaseAt({ dialect: 'postgres', connectionString: url.href, schema })
    hosted = kyselyStorage(db, 'postgres', { schema })
  })

  afterEach(async () => {
    for (const one of [...own, { close: () => db.destroy() }]) await one.close()
    await node.end()
    await database.drop()
    await askCitus(`drop role "${role}"`)
  })

  const claim = ({ deliveries }: Storage) => deliveries.claim({ now: NOW, leaseUntil: NOW, limit: 1 })
  const calls: [name: string, call: (storage: Storage) => Promise<unknown>][] = [
    ['a start', ({ payments }) => payments.start(attempt(), NOW)],
    ['an outcome', ({ payments }) => payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)],
    ['a claim', claim],
  ]

  describe.each([
    ['default_transaction_isolation', 'serializable'],
    ['default_transaction_isolation', 'repeatable read'],
    ['array_nulls', 'off'],
    ['standard_conforming_strings', 'off'],
  ])('%s = %s at one node', (name, value) => {
    test('what would be written there is refused', async () => {
      const { payment } = await database.storage.payments.start(attempt(), NOW)
      await database.storage.payments.resolve(payment, { status: 'completed' }, NOW)
      await database.storage.payments.start(attempt(), NOW)
      await node.query(`alter role "${role}" set ${name} = ${pg.escapeLiteral(value)}`)
      const expectRefused = async (call: Promise<unknown>, what: string) => {
        const refused: Error = await call.then(String, error => error)
        expect(refused, what).toBeInstanceOf(DatabaseError)
        expect(refused.message, what).toMatch(new RegExp(`at .*:\\d+ ${name} is ${value}`))
      }
      for (const [what, call] of calls) await expectRefused(call(hosted), what)
      for (const storage of own) await expectRefused(claim(storage), 'a claim')
      const migrated: Error = await own[0]?.migrate().catch(error => error)
      expect(migrated).toBeInstanceOf(DatabaseError)
      expect(migrated.message).toMatch(new RegExp(`with ${name} = ${value} the node .*:\\d+`))
      const { items } = await database.storage.payments.list(merchantId, {}, ALL)
      expect(items.map(({ id, status }) => [id, status])).toEqual([
        [2, 'pending'],
        [1, 'completed'],
      ])
    })
  })

  test('what is due at the other nodes is claimed all the same', async () => {
    const { port } = await placeOf(database.schema, merchantId)
    const elsewhere: string[] = []
    for (let n = 0; elsewhere.length < 1; n++) {
      const other = `shop-${n}`
      if ((await placeOf(database.schema, other)).port !== port) elsewhere.push(other)
    }
    await openShop(database.storage, elsewhere[0])
    for (const [shop, at] of [[merchantId, BEFORE], ...[1, 2].map(() => [elsewhere[0], NOW])]) {
      const { payment } = await database.storage.payments.start(attempt({ merchantId: shop }), NOW)
      await database.storage.payments.resolve(payment, { status: 'completed' }, `${at}`)
    }
    await node.query(`alter role "${role}" set default_transaction_isolation = serializable`)
    // What is refused is due first: be that all that a claim takes, or not.
    for (const limit of [1, 10]) {
      const claimed = await hosted.deliveries.claim({ now: NOW, leaseUntil: LATER, limit })
      expect(claimed.map(one => one.merchantId)).toEqual(elsewhere)
    }
    // For a moment nobody asks for what was refused.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000)
    await expect(claim(hosted)).rejects.toThrow(/default_transaction_isolation is serializable/)
    time.mockRestore()
  })

  test.each<IsolationLevel>(['repeatable read', 'serializable'])(
    'nothing is written in a host’s own transaction that is %s, which goes on',
    async level => {
      const { schema } = database
      await db
        .transaction()
        .setIsolationLevel(level)
        .execute(async trx => {
          const inside = kyselyStorage(trx, 'postgres', { schema })
          const refused = await inside.payments.start(attempt(), NOW).catch(error => error)
          expect(refused).toBeInstanceOf(DatabaseError)
          expect(refused.message).toContain(`transaction_isolation is ${level}`)
          expect((await inside.payments.list(merchantId, {}, ALL)).total).toBe(0)
        })
      await db.transaction().execute(async trx => {
        await kyselyStorage(trx, 'postgres', { schema }).payments.start(attempt(), NOW)
      })
      expect((await database.storage.payments.list(merchantId, {}, ALL)).total).toBe(1)
    },
  )
})
