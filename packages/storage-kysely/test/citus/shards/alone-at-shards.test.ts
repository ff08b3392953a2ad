import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DatabaseStorage } from '../../../src/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { FUNCTIONS } from '../../../src/schema/names.ts'
import { PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, NOW, openShop } from '../../faults/shop.ts'
import { goesStraight } from '../nodes/goes-straight.ts'
import { connectTo, moveOf, placeOf } from '../place-of.ts'

const merchantId = 'shop-0'
const TRACE = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'
const LATER = '2099-01-01T00:00:00.000Z'

/** A start or an outcome that goes alone, straight to the node, is a statement of the tables of the merchant's shard. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let storage: DatabaseStorage
  const opened: pg.Client[] = []
  const start = (given: object = {}) => storage.payments.start(attempt({ merchantId, ...given }), NOW)
  const drop = (name: keyof typeof FUNCTIONS) =>
    askCitus(`drop function "${database.schema}"."tillkit_${FUNCTIONS[name]}"`)
  const ids = async () =>
    (await database.storage.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)

  async function atNode(): Promise<pg.Client> {
    const client = await connectTo(database.connectionString, await placeOf(database.schema, merchantId))
    opened.push(client)
    return client
  }

  /** Until the names of its shard's tables are known as well. */
  async function startsAtShard(): Promise<void> {
    await drop('startOfEach')
    await drop('resolveOfEach')
    await vi.waitFor(() => start(), { timeout: 20_000, interval: 50 })
  }

  beforeEach(async () => {
    database = await createOnCitus()
    await openShop(database.storage, merchantId)
    storage = postgresStorage(
      { connectionString: database.connectionString, ...PATIENT },
      { schema: database.schema },
    )
    await goesStraight(storage, merchantId)
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(client => client.end()))
    await storage.close()
    await database.drop()
  })

  test('none of the functions is called', async () => {
    await startsAtShard()
    const { payment, created } = await start({ attemptKey: 'key', extra: { table: '5' } })
    expect(created).toBe(true)
    expect(payment).toMatchObject({ id: 2, status: 'pending', extra: { table: '5' } })
    const failed = { status: 'error', failure: 'REJECTED' } as const
    expect(await storage.payments.resolve(payment, failed, NOW, TRACE)).toEqual({
      payment: { ...payment, ...failed },
      changed: true,
    })
    expect(await storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)).toMatchObject(
      {
        payment: { status: 'completed', failure: null },
        changed: true,
      },
    )
    await storage.migrate()
    const again = { payment: { ...payment, ...failed }, created: false }
    expect(await start({ attemptKey: 'key' })).toEqual(again)
    expect((await start({ attemptKey: 'other' })).payment.id).toBe(3)
    expect(await storage.payments.resolve(payment, { status: 'completed' }, NOW)).toEqual({
      payment: again.payment,
      changed: false,
    })
    const claimed = await storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 10 })
    const traces = claimed.map(({ paymentId, traceparent }) => [paymentId, traceparent]).sort()
    expect(traces).toEqual([
      [1, null],
      [2, TRACE],
    ])
  })

  test('who takes no payments gets none, and a code that is suspended neither', async () => {
    await startsAtShard()
    await storage.migrate()
    await storage.merchants.suspend(merchantId, NOW)
    await expect(start()).rejects.toThrow(/suspended/)
    await storage.merchants.resume(merchantId)
    expect((await start()).payment.id).toBe(2)
    const code = { merchantId, code: 'till-1', reference: null }
    await storage.scanCodes.add({ ...code, createdAt: NOW })
    await storage.scanCodes.suspend('till-1', NOW)
    await expect(start({ scanCode: 'till-1' })).rejects.toThrow(/suspended/)
    expect((await start({ scanCode: 'other' })).payment.id).toBe(3)
  })

  test('what is kept out by a trigger of the shard is refused, and takes no id', async () => {
    await startsAtShard()
    const { shard } = await placeOf(database.schema, merchantId)
    const table = `"${database.schema}".tillkit_payments_${shard}`
    const node = await atNode()
    await node.query(`set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;
      create function "${database.schema}".keep_out() returns trigger language plpgsql as 'begin return null; end';
      create trigger keep_out before insert on ${table} for each row execute function "${database.schema}".keep_out()`)
    await expect(start()).rejects.toThrow(/^a trigger of the database keeps a row/)
    await node.query(`drop trigger keep_out on ${table}`)
    await node.query(`drop function "${database.schema}".keep_out()`)
    expect((await start()).payment.id).toBe(2)
    expect(await ids()).toEqual([2, 1])
  })

  test('where the shard is being moved it waits in the call, which has locked none of its tables yet', async () => {
    await startsAtShard()
    await storage.migrate()
    const node = await atNode()
    const { statement } = await moveOf(database.schema, merchantId)
    const mover = await connectTo(database.connectionString)
    opened.push(mover)
    await mover.query('begin')
    await mover.query(statement)
    await goesStraight(storage, merchantId)
    const started = start()
    // Where the coordinator has not been asked for long it goes that way.
    const waiting = async () => {
      const text = `select query from pg_stat_activity where wait_event_type = 'Lock' and position($1 in query) > 0`
      const found = await Promise.all([node, mover].map(at => at.query(text, [database.schema])))
      return found.flatMap(({ rows }) => rows.map(({ query }) => query)).join()
    }
    await vi.waitFor(async () => expect(await waiting()).toContain(FUNCTIONS.startOfEach), {
      timeout: 20_000,
    })
    await mover.query('rollback')
    expect((await started).payment.id).toBe(2)
  })

  test('with the functions of a version that did not have it, all goes by the others', async () => {
    await startsAtShard()
    await storage.migrate()
    await drop('holdHere')
    const { payment } = await start()
    expect(payment.id).toBe(2)
    expect((await storage.payments.resolve(payment, { status: 'completed' }, NOW))?.changed).toBe(true)
  })
})
