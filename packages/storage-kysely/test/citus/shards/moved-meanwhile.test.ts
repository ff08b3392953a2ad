import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kyselyStorage } from '../../../src/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { FUNCTIONS } from '../../../src/schema/names.ts'
import { hostDatabaseAt, PATIENT, placeOf as placeOfTables } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../../faults/shop.ts'
import { goesStraight } from '../nodes/goes-straight.ts'
import { connectTo, moveOf, placeOf } from '../place-of.ts'

const BEFORE = '2026-11-20T09:00:00.000Z'
const LATER = '2099-01-01T00:00:00.000Z'

overCitus(() => {
  test('a strict start that read what a moved shard had left behind is made anew', async () => {
    const { storage, schema, drop } = await createOnCitus()
    await openShop(storage)
    const { payment } = await storage.payments.start(attempt(), NOW)
    // As the old copy of a shard has it, where `force_logical` moves it between the statements of a transaction.
    const ledgerAt = (id: number) =>
      askCitus(
        `update "${schema}".tillkit_ledgers set last_payment_id = ${id} where merchant_id = '${merchantId}'`,
      )
    await ledgerAt(0)
    const strict = attempt({ strict: true, merchantReference: 'order 1' })
    const starting = storage.payments.start(strict, NOW)
    await sleep(300)
    await ledgerAt(payment.id)
    expect(await starting).toMatchObject({ payment: { id: payment.id + 1, status: 'pending' } })
    await drop()
  })

  test('a shard that is to be moved amid a repair of dates stays until that ends, and no payment keeps a date ahead', async () => {
    const { address, storage, connectionString, schema, drop } = await createOnCitus()
    await openShop(storage)
    for (let n = 0; n < 3; n++) await storage.payments.start(attempt(), NOW)
    const { shard } = await placeOf(schema, merchantId)
    const { statement } = await moveOf(schema, merchantId)
    const mover = await connectTo(connectionString)
    const pool = new pg.Pool({ connectionString })
    onTestFinished(async () => {
      await mover.end()
      await pool.end()
      await drop()
    })
    let moved = false
    let moving: Promise<unknown> | undefined
    const { rows } = await mover.query('select pg_backend_pid() as pid')
    const isWaiting = async () => {
      // By way of the coordinator it may wait there, or at the node that has the shard.
      const [waiting] = await askCitus(`select
        exists (select from pg_locks where not granted and pid = ${rows[0].pid}) or (
          select bool_or(result <> '0') from run_command_on_all_nodes(
            $$select count(*) from pg_locks where not granted and locktype = 'advisory' and objid = ${shard}$$)
        ) as waits`)
      return waiting?.waits
    }
    const move = async () => {
      moving = mover.query(statement).then(() => {
        moved = true
      })
      while (!moved && !(await isWaiting())) await sleep(20)
      if (moved) await storage.payments.start(attempt(), BEFORE)
    }
    pool.on('connect', client => {
      const query = client.query.bind(client) as (text: string, values: unknown[]) => unknown
      client.query = (async (text: string, values: unknown[]) => {
        if (!moving && /^update .*tillkit_payments/.test(text)) await move()
        return query(text, values)
      }) as never
    })
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    const hosted = kyselyStorage(db, 'postgres', placeOfTables(address))
    expect(await hosted.payments.repairDates(merchantId, BEFORE, 1024)).toMatchObject({ done: true })
    await moving
    await storage.payments.start(attempt(), BEFORE)
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(new Set(items.map(({ date }) => date))).toEqual(new Set(['2026-11-20T09:00:00Z']))
  })

  test('what a wrong clock wrote of deliveries and endpoints is put right in a shard that stays', async () => {
    const { address, storage, drop } = await createOnCitus()
    await openShop(storage)
    const queries: string[] = []
    const db = hostDatabaseAt(address, ({ query }) => void queries.push(query.sql))
    const { deliveries, endpoints } = kyselyStorage(db, 'postgres', placeOfTables(address))
    const times = { now: BEFORE, soon: BEFORE, latest: BEFORE }
    for (const repair of [
      () => deliveries.repairDates(merchantId, { firstId: 1, lastId: 1 }, times),
      () => endpoints.repairDates(merchantId, times),
    ]) {
      await repair()
      queries.length = 0
      await repair()
      expect(queries.find(text => text.includes('tillkit_'))).toContain(FUNCTIONS.hold)
    }
    await db.destroy()
    await drop()
  })

  test.each([
    ['straight to the nodes', true],
    ['by way of the coordinator', false],
  ])('a shard that is being moved keeps nobody else’s webhooks waiting, %s', async (_, directToNodes) => {
    const { storage, connectionString, schema, drop } = await createOnCitus()
    const { shard } = await placeOf(schema, merchantId)
    const [beside, elsewhere]: [string[], string[]] = [[merchantId], []]
    for (let n = 0; beside.length < 3 || elsewhere.length < 1; n++) {
      const place = await placeOf(schema, `shop-${n}`)
      ;(place.shard === shard ? beside : elsewhere).push(`shop-${n}`)
    }
    const shops = [...beside.slice(0, 3), ...elsewhere.slice(0, 1)]
    for (const shop of shops) {
      await openShop(storage, shop)
      // What is due first is of those whose shard is moved, and more than a claim takes.
      const at = elsewhere.includes(shop) ? NOW : BEFORE
      for (let n = 0; n < 3; n++) {
        const { payment } = await storage.payments.start(attempt({ merchantId: shop }), NOW)
        await storage.payments.resolve(payment, { status: 'completed' }, at)
      }
    }
    const limits = { ...PATIENT, lockTimeoutSeconds: 1 }
    const host = postgresStorage({ connectionString, ...limits, directToNodes }, { schema })
    if (directToNodes) for (const shop of shops) await goesStraight(host, shop)
    const mover = await connectTo(connectionString)
    onTestFinished(async () => {
      await mover.end()
      await host.close()
      await drop()
    })
    await mover.query('begin')
    await mover.query((await moveOf(schema, merchantId)).statement)
    const claim = async (limit: number) => {
      const claimed = await host.deliveries.claim({ now: NOW, leaseUntil: LATER, limit })
      return claimed.map(one => one.merchantId)
    }
    expect(await claim(2)).toEqual([elsewhere[0], elsewhere[0]])
    expect(await claim(2)).toEqual([elsewhere[0]])
    expect(await claim(2)).toEqual([])
    await mover.query('rollback')
    // For a moment nobody asks for what was held.
    const taken: string[] = []
    await vi.waitUntil(async () => taken.push(...(await claim(9))) === 9, { timeout: 60_000 })
    expect(taken.sort()).toEqual(
      shops
        .slice(0, 3)
        .flatMap(shop => [shop, shop, shop])
        .sort(),
    )
  })
})
