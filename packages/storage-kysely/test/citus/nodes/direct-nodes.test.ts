import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tillkit/servers'
import { CommitUnknownError } from '@tillkit/storage'
import { type ConnectionMessage, connectionChannel } from '@tillkit/storage/channels'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DatabaseStorage } from '../../../src/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, NOW, openShop } from '../../faults/shop.ts'
import { connectTo, moveOf, placeOf } from '../place-of.ts'
import { haveNodeWait } from './have-node-wait.ts'

const LATER = '2099-01-01T00:00:00.000Z'
const CANDIDATES = Array.from({ length: 16 }, (_, n) => `shop-${n}`)

/** What is one merchant's goes to the node that has its rows, by the shortest way that leads to that very node. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  /** Those whose rows are at a worker, and at which port. */
  let shops: string[]
  let ports: number[]
  let had: Map<string, number>
  let storage: DatabaseStorage
  const opened: pg.Client[] = []
  const open = (options: object = {}) =>
    postgresStorage(
      { connectionString: database.connectionString, ...PATIENT, ...options },
      { schema: database.schema },
    )
  const hear = (message: unknown) => {
    const { pool, error } = message as ConnectionMessage
    if (!error && pool.name !== 'tillkit watch') had.set(pool.name, (had.get(pool.name) ?? 0) + 1)
  }
  const ofNodes = () => [...had].filter(([name]) => name.startsWith('tillkit node '))
  const straight = () => ofNodes().reduce((sum, [, times]) => sum + times, 0)
  const byCoordinator = () => had.get('tillkit') ?? 0

  beforeEach(async () => {
    database = await createOnCitus()
    for (const id of CANDIDATES) await openShop(database.storage, id)
    const found = await askCitus(
      `select shop, nodeport::int as port from unnest(array['${CANDIDATES.join("','")}']) as shop
       join pg_dist_placement on shardid = get_shard_id_for_distribution_column('"${database.schema}".tillkit_merchants', shop)
       join pg_dist_node using (groupid) where groupid <> 0`,
    )
    shops = found.map(({ shop }) => `${shop}`)
    ports = [...new Set(found.map(({ port }) => Number(port)))]
    had = new Map()
    connectionChannel.asyncEnd.subscribe(hear)
    storage = open()
  })

  afterEach(async () => {
    connectionChannel.asyncEnd.unsubscribe(hear)
    vi.restoreAllMocks()
    await Promise.all(opened.splice(0).map(client => client.end()))
    await storage.close()
    await database.drop()
  })

  /** Has what this process connects to at one port come to another one. */
  function lead(ports: Map<number, number>): void {
    const connect = net.Socket.prototype.connect as (...given: unknown[]) => net.Socket
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
      this: net.Socket,
      ...given: unknown[]
    ) {
      const [port, ...rest] = given
      return connect.call(this, ports.get(port as number) ?? port, ...rest)
    } as never)
  }

  /** Has it know where everybody is, and whether there is a shorter way. */
  async function acquaint(over = storage): Promise<void> {
    for (let n = 0; n < 3; n++) {
      await Promise.all(shops.map(merchantId => over.payments.get({ merchantId, id: 1 })))
      await sleep(500)
    }
    had.clear()
  }

  /** Has a node not know of the payments any more. */
  async function forget(port: number): Promise<void> {
    const client = await lookAt(port)
    await client.query('set citus.enable_ddl_propagation to off')
    await client.query(`alter table "${database.schema}".tillkit_payments rename to gone`)
    await client.end()
  }

  /** Has another worker have a merchant's shard, whose port it resolves to. */
  async function move(shop: string): Promise<number> {
    const { statement, to } = await moveOf(database.schema, shop)
    await askCitus(statement)
    return to
  }

  /** A session at a node that shows what lies there. */
  async function lookAt(port: number): Promise<pg.Client> {
    const client = await connectTo(database.connectionString, { port })
    opened.push(client)
    await client.query('set citus.override_table_visibility = off')
    return client
  }

  /** The tables of payments that lie at a node, whether or not the cluster knows of them. */
  async function leftAt(port: number): Promise<string[]> {
    const client = await lookAt(port)
    const { rows } = await client.query(
      `select relname from pg_class where relnamespace = to_regnamespace($1) and relname ~ '^tillkit_payments_[0-9]+$'`,
      [`"${database.schema}"`],
    )
    await client.end()
    return rows.map(({ relname }) => relname)
  }

  /** Has a node not drop what it has of payments. */
  async function keepShards(port: number): Promise<pg.Client> {
    const tables = await leftAt(port)
    const client = await lookAt(port)
    await client.query('begin')
    for (const table of tables) await client.query(`select from "${database.schema}"."${table}"`)
    return client
  }

  /** What a merchant and the host have to do with one merchant. */
  async function day(merchantId: string, { payments, cashUps, deliveries, reports, endpoints } = storage) {
    const { payment } = await payments.start(attempt({ merchantId }), NOW)
    const strict = { merchantId, strict: true, merchantReference: `order ${payment.id}` }
    const { payment: other } = await payments.start(attempt(strict), NOW)
    await payments.resolve(payment, { status: 'completed' }, NOW)
    await payments.resolve(other, { status: 'error', failure: 'REJECTED' }, NOW)
    await payments.settle(merchantId, 'statement', [payment.id])
    const cashUp = { reference: `${payment.id}`.padStart(32, '0'), idempotencyKey: null, now: NOW }
    await cashUps.create(merchantId, cashUp)
    const attempted = { at: NOW, status: 200, milliseconds: 1, error: null, answer: null }
    const [claimed] = await deliveries.claim({
      now: LATER,
      leaseUntil: LATER,
      limit: 1,
      onlyMerchant: merchantId,
    })
    const result = { merchantId, paymentId: payment.id, fence: claimed?.fence ?? 0, nextAttemptAt: null }
    await deliveries.record({ ...result, state: 'delivered', attempt: attempted })
    return {
      one: (await payments.get(payment))?.statementReference,
      page: (await payments.list(merchantId, {}, { skip: 0, limit: 2 })).items.map(({ id }) => id),
      failed: (await payments.list(merchantId, { status: ['error'] }, ALL)).total,
      period: await cashUps.payments(merchantId, cashUp.reference, ALL),
      report: (await reports.period(merchantId, cashUp.reference))?.byStatus.completed.count,
      endpoint: (await endpoints.get(merchantId))?.failingSince,
    }
  }

  test('what is one merchant’s goes straight there, and comes to the same as by way of the coordinator', async () => {
    await acquaint()
    const began = performance.now()
    const straightOnes = await Promise.all(shops.map(shop => day(shop)))
    const seconds = (performance.now() - began) / 1000
    expect(ofNodes()).toHaveLength(ports.length)
    // A claim looks for what is due at all nodes, and once a second it is asked whether rows have gone elsewhere.
    expect(byCoordinator() - shops.length).toBeLessThan(2 + 2 * seconds)

    const roundabout = open({ directToNodes: false })
    await acquaint(roundabout)
    const others = await Promise.all(shops.map(shop => day(shop, roundabout)))
    expect(straight()).toBe(0)
    const wanted = (first: number) => ({
      ...{ one: 'statement', page: [first + 1, first], failed: (first + 1) / 2, report: 1, endpoint: null },
      period: { items: [expect.objectContaining({ id: first })], total: 1 },
    })
    expect(straightOnes).toEqual(shops.map(() => wanted(1)))
    expect(others).toEqual(shops.map(() => wanted(3)))
    await roundabout.close()
  })

  test('another server at a node’s address is not taken for the node', async context => {
    if (ports.length < 2) context.skip('it takes two workers')
    lead(new Map(ports.map((port, n) => [port, ports[(n + 1) % ports.length] as number])))
    await acquaint()
    await Promise.all(shops.map(shop => day(shop)))
    expect(ofNodes()).toEqual([])
    expect(byCoordinator()).toBeGreaterThan(0)
  })

  test('a node that cannot be reached straight is reached by way of the coordinator', async () => {
    const closed = await freePort()
    lead(new Map(ports.map(port => [port, closed])))
    await acquaint()
    expect(await Promise.all(shops.map(shop => day(shop)))).toHaveLength(shops.length)
    expect(ofNodes()).toEqual([])
  })

  test('a process that was away does not trust what it knew: the node may have left the cluster since', async () => {
    const readAll = () => Promise.all(shops.map(merchantId => storage.payments.get({ merchantId, id: 1 })))
    await acquaint()
    await readAll()
    expect(straight()).toBeGreaterThan(0)
    had.clear()
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000)
    await readAll()
    // The coordinator may have answered before the last of them went.
    expect([...had.keys()][0]).toBe('tillkit')
    while (straight() === 0) {
      await sleep(200)
      await readAll()
    }
  })

  test('what waited for a connection to a node does not go there once the node may have left the cluster', async () => {
    await acquaint()
    const [shop = ''] = shops
    const key = { merchantId: shop, id: 1 }
    const goOn = await haveNodeWait(database.schema, shop)
    const first = Array.from({ length: 10 }, (_, n) => storage.payments.findAttempt(shop, `key ${n}`))
    await vi.waitFor(() => expect(straight()).toBe(10), { timeout: 5000 })
    had.clear()
    // A strict start is a transaction, and a read by id a statement.
    const strict = attempt({ merchantId: shop, strict: true, merchantReference: 'order 1' })
    const waiting = [storage.payments.start(strict, NOW), storage.payments.get(key)]
    await sleep(50)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 4000)
    await goOn()
    await Promise.all([...first, ...waiting])
    expect(byCoordinator()).toBeGreaterThanOrEqual(waiting.length)
  })

  test('a node that has lost its tables refuses no list and no strict start: by way of the coordinator there are all', async () => {
    await acquaint()
    await Promise.all(shops.map(shop => day(shop)))
    // Its shards it keeps, as one that is told no more of the cluster's metadata does.
    for (const port of ports) await forget(port)
    // Reads are of the shards' own tables, as soon as the coordinator has just said where they are.
    for (let tries = 0; ; tries++) {
      had.clear()
      const lists = await Promise.all(shops.map(shop => storage.payments.list(shop, {}, ALL)))
      expect(lists.map(({ total }) => total)).toEqual(shops.map(() => 2))
      if (straight() === shops.length) break
      expect(tries).toBeLessThan(100)
      await sleep(50)
    }
    // A strict start is no function, which the coordinator would have the node carry out.
    const strict = shops.map(merchantId =>
      attempt({ merchantId, strict: true, merchantReference: 'one more' }),
    )
    for (const { payment } of await Promise.all(strict.map(one => storage.payments.start(one, NOW)))) {
      expect(payment.id).toBe(3)
    }
    expect(byCoordinator()).toBeGreaterThanOrEqual(shops.length)
  })

  test('calls that have all connections to the coordinator for long keep nobody from the nodes', async () => {
    await acquaint()
    let goOn = () => {}
    const over = new Promise<void>(resolve => {
      goOn = resolve
    })
    const held = Array.from({ length: 10 }, () => storage.transaction(() => over))
    await vi.waitFor(() => expect(byCoordinator()).toBe(10), { timeout: 5000 })
    for (let n = 0; n < 10; n++) {
      await Promise.all(shops.map(merchantId => storage.payments.get({ merchantId, id: 1 })))
      await sleep(500)
    }
    expect(byCoordinator()).toBe(10)
    goOn()
    await Promise.all(held)
  })

  test('where a shard has gone is known soon, and nothing goes by way of the node that had it', async context => {
    if (ports.length < 2) context.skip('it takes two workers')
    await acquaint()
    await Promise.all(shops.map(shop => day(shop)))
    const [shop = ''] = shops
    const to = await move(shop)
    for (let tries = 0; ; tries++) {
      had.clear()
      expect((await storage.payments.get({ merchantId: shop, id: 1 }))?.statementReference).toBe('statement')
      const [way] = ofNodes().map(([name]) => name)
      if (way?.endsWith(`:${to}`)) break
      // As many as there are in half of the minute for which what is known was trusted once.
      expect(tries).toBeLessThan(150)
      await sleep(200)
    }
  })

  test('nothing is read of what a shard left behind, nor written to it, and nothing missed once that is gone', async context => {
    if (ports.length < 2) context.skip('it takes two workers')
    const [shop = ''] = shops
    const other = open({ directToNodes: false })
    const { payment } = await other.payments.start(attempt({ merchantId: shop }), NOW)
    const read = async () => [
      await storage.payments.get(payment),
      (await storage.payments.list(shop, {}, ALL)).items.at(-1),
      ...(await storage.payments.list(shop, { status: ['completed'] }, ALL)).items,
      (await storage.cashUps.list(shop, ALL)).total,
    ]
    const paid: number[] = []
    const pay = async () => {
      const { payment } = await storage.payments.start(attempt({ merchantId: shop }), NOW)
      const resolved = await storage.payments.resolve(payment, { status: 'error', failure: 'REJECTED' }, NOW)
      expect(resolved?.changed).toBe(true)
      paid.push(payment.id)
    }
    await acquaint()
    await read()
    await pay()

    const { port: from, shard } = await placeOf(database.schema, shop)
    // It does not look again where shards are meanwhile.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const keeping = await keepShards(from)
    await move(shop)
    await other.payments.resolve(payment, { status: 'completed' }, NOW)
    await other.cashUps.create(shop, { reference: '1'.repeat(32), idempotencyKey: null, now: NOW })
    const completed = expect.objectContaining({ id: payment.id, status: 'completed' })
    expect(await leftAt(from)).toContain(`tillkit_payments_${shard}`)
    had.clear()
    expect(await read()).toEqual([completed, completed, completed, 1])
    await pay()

    await keeping.end()
    await askCitus('call citus_cleanup_orphaned_resources()')
    expect(await leftAt(from)).not.toContain(`tillkit_payments_${shard}`)
    expect(await read()).toEqual([completed, completed, completed, 1])
    await pay()
    expect(byCoordinator()).toBe(0)

    vi.restoreAllMocks()
    await acquaint()
    expect(await read()).toEqual([completed, completed, completed, 1])
    const { items } = await other.payments.list(shop, { status: ['error'] }, ALL)
    expect(items.map(({ id }) => id).reverse()).toEqual(paid)
    await other.close()
  })

  test('a way that says nothing any more is left, and taken again when it leads there again', async () => {
    await acquaint()
    const silent = net.createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as net.AddressInfo
    const acknowledged = new Map(shops.map(shop => [shop, new Set<number>()]))
    let unknown = 0
    const pay = (merchantId: string) =>
      storage.payments.start(attempt({ merchantId }), NOW).then(
        ({ payment }) => acknowledged.get(merchantId)?.add(payment.id),
        error => {
          expect(error).toBeInstanceOf(CommitUnknownError)
          unknown += 1
        },
      )
    lead(new Map(ports.map(one => [one, port])))
    const underWay = Promise.all(shops.map(pay))
    await askCitus(
      `select run_command_on_workers($$select count(pg_terminate_backend(pid)) from pg_stat_activity
       where application_name = '${database.schema}'$$)`,
    )
    await underWay
    await Promise.all(shops.map(pay))
    await Promise.all(shops.map(pay))
    had.clear()
    await Promise.all(shops.map(pay))
    expect(straight()).toBe(0)
    vi.restoreAllMocks()
    while (straight() === 0) {
      await sleep(200)
      await Promise.all(shops.map(pay))
    }
    for (const [shop, ids] of acknowledged) {
      const { items, total } = await storage.payments.list(shop, {}, ALL)
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]))
      expect(total).toBeLessThanOrEqual(ids.size + unknown)
    }
    silent.close()
  })
})
