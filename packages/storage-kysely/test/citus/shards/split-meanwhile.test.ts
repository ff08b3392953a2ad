import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { FUNCTIONS } from '../../../src/schema/names.ts'
import { PATIENT } from '../../engines/address.ts'
import { createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, NOW, openShop } from '../../faults/shop.ts'
import { goesStraight } from '../nodes/goes-straight.ts'
import { connectTo, placeOf } from '../place-of.ts'

/** What waits for a shard that is split is written where its rows are then. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let splitter: pg.Client

  beforeEach(async () => {
    database = await createOnCitus()
    await openShop(database.storage, 'shop-0')
    splitter = await connectTo(database.connectionString)
  })

  afterEach(async () => {
    await splitter.end()
    await database.drop()
  })

  test.each([
    ['straight to the node', true],
    ['by way of the coordinator', false],
  ])('%s', async (_, directToNodes) => {
    const { connectionString, schema } = database
    const storage = postgresStorage({ connectionString, ...PATIENT, directToNodes }, { schema })
    const { payment } = await storage.payments.start(attempt({ merchantId: 'shop-0' }), NOW)
    if (directToNodes) await goesStraight(storage, 'shop-0')
    await splitter.query('begin')
    await splitter.query(`select isolate_tenant_to_new_shard('"${schema}".tillkit_merchants', 'shop-0',
      'cascade', shard_transfer_mode => 'block_writes')`)
    let ended = 0
    const strict = { merchantId: 'shop-0', strict: true, merchantReference: 'order 1' }
    const writing = [
      storage.payments.resolve(payment, { status: 'completed' }, NOW),
      storage.payments.start(attempt({ merchantId: 'shop-0' }), NOW),
      storage.payments.start(attempt(strict), NOW),
    ].map(call => call.finally(() => ended++))
    await sleep(1000)
    expect(ended).toBe(0)
    await splitter.query('commit')
    await Promise.all(writing)
    const { items } = await database.storage.payments.list('shop-0', {}, ALL)
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [3, 'pending'],
      [2, 'pending'],
      [1, 'completed'],
    ])
    expect((await database.storage.deliveries.list('shop-0', undefined, ALL)).total).toBe(1)
    await storage.close()
  })

  test.each([
    ['hold', `'shop-0'`],
    ['holdAll', `array['shop-0'], array[]::regclass[]`],
  ] as const)('who waits to hold a shard that is no more is to begin anew (%s)', async (name, given) => {
    const { connectionString, schema } = database
    const session = await connectTo(connectionString, await placeOf(schema, 'shop-0'))
    await splitter.query('begin')
    await splitter.query(`select isolate_tenant_to_new_shard('"${schema}".tillkit_merchants', 'shop-0',
      'cascade', shard_transfer_mode => 'block_writes')`)
    const held = session
      .query(`select "${schema}"."tillkit_${FUNCTIONS[name]}"(${given})`)
      .catch(error => error)
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${schema}%${FUNCTIONS[name]}%'`
    const { port } = await placeOf(schema, 'shop-0')
    const beside = await connectTo(connectionString, { port })
    await vi.waitFor(async () => expect((await beside.query(waits)).rowCount).toBe(1), { timeout: 20_000 })
    await splitter.query('commit')
    expect(await held).toMatchObject({ code: '40001', message: 'the shard has been replaced' })
    await Promise.all([session, beside].map(client => client.end()))
  })
})
