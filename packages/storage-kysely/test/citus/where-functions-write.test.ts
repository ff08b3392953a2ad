import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { FUNCTIONS } from '../../src/schema/names.ts'
import { PATIENT } from '../engines/address.ts'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { countedPool } from '../engines/counted-pool.ts'
import { overCitus } from '../engines/over-citus.ts'
import { ALL, attempt, NOW, openShop } from '../faults/shop.ts'
import { goesStraight } from './nodes/goes-straight.ts'
import { connectTo, moveOf, otherThan, placeOf } from './place-of.ts'

/** The functions that write payments do so in the shard that is the merchant's when they write, wherever they are carried out. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  const opened: pg.Client[] = []
  const shops = ['shop-0', 'shop-1', 'shop-2', 'shop-3']

  beforeEach(async () => {
    database = await createOnCitus()
    for (const id of shops) await openShop(database.storage, id)
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(client => client.end()))
    await database.drop()
  })

  test.each([
    ['straight to the node', true],
    ['by way of the coordinator', false],
  ])('what waits for a shard that is moved is written where it is then, %s', async (_, directToNodes) => {
    const storage = postgresStorage(
      { connectionString: database.connectionString, ...PATIENT, directToNodes },
      { schema: database.schema },
    )
    const key = { merchantId: 'shop-0' }
    const { payment } = await storage.payments.start(attempt(key), NOW)
    if (directToNodes) await goesStraight(storage, 'shop-0')
    const { statement, to } = await moveOf(database.schema, 'shop-0')
    const mover = await connectTo(database.connectionString)
    opened.push(mover)
    await mover.query('begin')
    await mover.query(statement)
    let ended = 0
    const count = <Result>(call: Promise<Result>) => call.finally(() => ended++)
    const writing = [
      ...shops.slice(1).map(merchantId => storage.payments.start(attempt({ merchantId }), NOW)),
      ...[1, 2, 3].map(() => count(storage.payments.start(attempt(key), NOW))),
      count(storage.payments.resolve(payment, { status: 'completed' }, NOW)),
    ]
    await sleep(1000)
    expect(ended).toBe(0)
    await mover.query('commit')
    await Promise.all(writing)
    expect((await placeOf(database.schema, 'shop-0')).port).toBe(to)
    await askCitus('call citus_cleanup_orphaned_resources()')
    const { items } = await database.storage.payments.list('shop-0', {}, ALL)
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      ...[4, 3, 2].map(id => [id, 'pending']),
      [1, 'completed'],
    ])
    const claimed = await storage.deliveries.claim({ now: NOW, leaseUntil: NOW, limit: 10 })
    expect(claimed.map(({ paymentId }) => paymentId)).toEqual([1])
    await storage.close()
  })

  test('one outcome that waits in vain for a shard that is moved is refused, and not taken for one that is there', async () => {
    const { connectionString, schema } = database
    const storage = postgresStorage({ connectionString, ...PATIENT, lockTimeoutSeconds: 1 }, { schema })
    const { payment } = await storage.payments.start(attempt({ merchantId: 'shop-0' }), NOW)
    await goesStraight(storage, 'shop-0')
    const mover = await connectTo(connectionString)
    opened.push(mover)
    await mover.query('begin')
    await mover.query((await moveOf(schema, 'shop-0')).statement)
    const outcome = { status: 'completed' } as const
    await expect(storage.payments.resolve(payment, outcome, NOW)).rejects.toThrow(
      /^the lock of merchant shop-0/,
    )
    await mover.query('rollback')
    expect((await storage.payments.resolve(payment, outcome, NOW))?.changed).toBe(true)
    await storage.close()
  })

  test('what is first written over a pool is written so, too, though no session was seen before', async () => {
    const { pool, texts } = countedPool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool, ...PATIENT }, { schema: database.schema })
    const strict = attempt({ merchantId: 'shop-0', strict: true, merchantReference: 'order 1' })
    expect((await storage.payments.start(strict, NOW)).payment.status).toBe('pending')
    const firsts = texts.filter(text => text.includes('tillkit_')).slice(1)
    expect(firsts[0]).toContain(FUNCTIONS.hold)
    await storage.close()
    await pool.end()
  })

  test('what is written for several merchants is in the tables of their shards where the node has them all', async () => {
    const { schema } = database
    const { shard, ...here } = await placeOf(schema, 'shop-0')
    const whole = `"${schema}".tillkit_payments`
    const tablesAt = async (node: Parameters<typeof connectTo>[1], merchants: string[]) => {
      const client = await connectTo(database.connectionString, node)
      opened.push(client)
      const text = `select "${schema}"."tillkit_${FUNCTIONS.holdAll}"($1, array['${whole}']::regclass[]) as tables`
      const { rows } = await client.query<{ tables: string[] }>(text, [merchants])
      return rows[0]?.tables
    }
    const ofMany = Array.from({ length: 20 }, (_, n) => `shop-${n}`)
    expect(await tablesAt(here, ['shop-0', 'shop-0'])).toEqual(Array(2).fill(`${whole}_${shard}`))
    expect(await tablesAt(await otherThan(here.port), ['shop-0'])).toEqual([whole])
    expect(await tablesAt(here, ofMany)).toEqual(ofMany.map(() => whole))
  })

  test('a shard is held for statements of its own tables where its rows are, and no other copy of them is', async () => {
    const { schema } = database
    const { shard, port } = await placeOf(schema, 'shop-0')
    const whole = `"${schema}".tillkit_payments`
    const node = await connectTo(database.connectionString, { port })
    opened.push(node)
    const { rows } = await node.query('select groupid::int as here from pg_dist_local_group')
    const { here } = rows[0]
    const ask = async (what: string) => Object.values((await node.query(`select ${what}`)).rows[0])[0]
    const isHeld = (group: number) => ask(`"${schema}"."tillkit_${FUNCTIONS.holdHere}"(${shard}, ${group})`)
    const tables = () =>
      ask(`"${schema}"."tillkit_${FUNCTIONS.holdAll}"(array['shop-0'], array['${whole}']::regclass[])`)
    expect([await isHeld(here), await isHeld(here + 1), await tables()]).toEqual([
      true,
      false,
      [`${whole}_${shard}`],
    ])
    // As where a host has Citus keep each shard at two nodes: what is written to one of them alone is not in the other.
    await node.query('begin')
    await node.query(`insert into pg_dist_placement (placementid, shardid, shardstate, shardlength, groupid)
      select max(placementid) + 1, ${shard}, 1, 0, ${here + 1} from pg_dist_placement`)
    expect([await isHeld(here), await tables()]).toEqual([false, [whole]])
    await node.query('rollback')
    // Who would not see it gone is not told that it is there.
    for (const level of ['read committed', 'repeatable read', 'serializable']) {
      await node.query(`begin isolation level ${level}`)
      expect(await isHeld(here), level).toBe(level === 'read committed')
      await node.query('rollback')
    }
  })

  test('a function that is carried out elsewhere than at the shard’s node writes there all the same', async () => {
    const { port } = await placeOf(database.schema, 'shop-0')
    const elsewhere = await connectTo(database.connectionString, await otherThan(port))
    opened.push(elsewhere)
    const call = (name: keyof typeof FUNCTIONS, given: string) =>
      elsewhere.query(`select * from "${database.schema}"."tillkit_${FUNCTIONS[name]}"(${given})`)
    const row = { total_amount: 5, tip_amount: 0, scan_code: 'till', is_voucher: false, extra: {} }
    const rows = JSON.stringify([{ ...row, is_voucher_redemption: false, required_amount: 5 }])
    const outcome = `array[1], array['completed'], array[null]::text[], array[null]::timestamptz[], array[null]::text[]`
    // Within a transaction Citus sends the call to no other node.
    await elsewhere.query('begin')
    expect((await call('start', `'shop-0', '${rows}', null`)).rows).toMatchObject([{ id: '1' }])
    expect((await call('startOfEach', `'shop-0', '{shop-0}', '{null}', '${rows}'`)).rows).toHaveLength(1)
    expect((await call('resolve', `'shop-0', ${outcome}`)).rows).toMatchObject([{ status: 'completed' }])
    expect(
      (await call('resolveOfEach', `'shop-0', '{shop-0}', ${outcome.replace('1', '2')}`)).rows,
    ).toMatchObject([{ status: 'completed' }])
    await elsewhere.query('commit')
    const { items } = await database.storage.payments.list('shop-0', { status: ['completed'] }, ALL)
    expect(items.map(({ id }) => id)).toEqual([2, 1])
  })
})
