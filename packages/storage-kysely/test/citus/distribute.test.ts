import type { Storage } from '@tillkit/storage'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { FUNCTIONS } from '../../src/schema/names.ts'
import { hostDatabaseAt, PATIENT } from '../engines/address.ts'
import { askCitus, citusUrl, createInPlain, createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const LEASE = { now: NOW, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 100 }

/** What a till does all day; how many webhooks it had. */
async function work({ payments, deliveries }: Storage): Promise<number> {
  const started = await Promise.all(Array.from({ length: 20 }, () => payments.start(attempt(), NOW)))
  await Promise.all(
    started.map(({ payment }) =>
      payments.resolve({ merchantId, id: payment.id }, { status: 'completed' }, NOW),
    ),
  )
  return (await deliveries.claim(LEASE)).length
}

overCitus(() => {
  test('a host that runs while the tables are distributed goes on, and loses nothing', async () => {
    const { storage: host, connectionString, schema, drop } = await createInPlain()
    try {
      await openShop(host)
      expect(await work(host)).toBe(20)
      const operator = postgresStorage({ connectionString, ...PATIENT }, { schema })
      const [, claimed] = await Promise.all([operator.distribute(), work(host)])
      expect(claimed).toBe(20)
      expect(await work(host)).toBe(20)
      expect((await host.payments.list(merchantId, {}, ALL)).total).toBe(60)
      await operator.close()
    } finally {
      await drop()
    }
  })

  test('several hosts distribute them at once beside shops at work, and nobody is refused', async () => {
    const { storage: host, connectionString, schema, drop } = await createInPlain()
    const operators = Array.from({ length: 3 }, () =>
      postgresStorage({ connectionString, ...PATIENT }, { schema }),
    )
    const shops = Array.from({ length: 8 }, (_, n) => `shop-${n}`)
    try {
      for (const id of shops) await openShop(host, id)
      let isOver = false
      const atWork = shops.map(async id => {
        let taken = 0
        while (!isOver) {
          const { payment } = await host.payments.start(attempt({ merchantId: id }), NOW)
          await host.payments.resolve(payment, { status: 'completed' }, NOW)
          taken += 1
        }
        return taken
      })
      await Promise.all(operators.map(operator => operator.distribute())).finally(() => {
        isOver = true
      })
      const taken = await Promise.all(atWork)
      const found = shops.map(async id => (await host.payments.list(id, {}, ALL)).total)
      expect(await Promise.all(found)).toEqual(taken)
    } finally {
      await Promise.all(operators.map(operator => operator.close()))
      await drop()
    }
  })

  test('sessions from before keep no plans from then on either', async () => {
    const { connectionString, schema, drop } = await createInPlain()
    // Those of a node are new in any case.
    const host = postgresStorage({ connectionString, directToNodes: false, ...PATIENT }, { schema })
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    const told = () => {
      const texts = sent.mock.calls.map(([query], call) => ({
        session: sent.mock.contexts[call],
        text: typeof query === 'string' ? query : (query as { text?: string }).text,
      }))
      sent.mockClear()
      return (mark: string) =>
        new Set(texts.filter(({ text }) => text?.includes(mark)).map(one => one.session))
    }
    try {
      await openShop(host)
      await host.payments.start(attempt(), NOW)
      // Lists would go a few at a time.
      const read = (times: number) =>
        Promise.all(Array.from({ length: times }, () => host.reports.period(merchantId, null)))
      await read(3)
      const before = told()('_payments')
      expect(before.size).toBeGreaterThan(1)
      const operator = postgresStorage({ connectionString, ...PATIENT }, { schema })
      await operator.distribute()
      await operator.close()
      // A session that is opened finds it out; the others hear of it when they are next handed out.
      await read(9)
      await read(9)
      const prepared = told()('plan_cache_mode')
      await read(9)
      const reading = [...told()('_payments')]
      expect(reading.filter(session => before.has(session)).length).toBeGreaterThan(0)
      expect(reading.filter(session => !prepared.has(session))).toEqual([])
    } finally {
      sent.mockRestore()
      await host.close()
      await drop()
    }
  })

  test('several may distribute at once, and again', async () => {
    const { storage, connectionString, schema, drop } = await createInPlain()
    const others = [0, 1].map(() => postgresStorage({ connectionString, ...PATIENT }, { schema }))
    try {
      await Promise.all([storage, ...others].map(one => one.distribute()))
      await storage.distribute()
      await storage.migrate()
      await openShop(storage)
      expect(await work(storage)).toBe(20)
    } finally {
      await Promise.all(others.map(one => one.close()))
      await drop()
    }
  })

  test('one whose session ends midway begins again, and one that waits for it goes on', async () => {
    const { storage, connectionString, schema, drop } = await createInPlain()
    const other = postgresStorage({ connectionString, ...PATIENT }, { schema })
    const endMidway = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schema}'
      and state = 'active' and query like '%create_distributed_table%'`
    try {
      await openShop(storage)
      const distributing = Promise.all([storage, other].map(one => one.distribute()))
      const ended = async () => expect(await askCitus(endMidway)).not.toEqual([])
      await vi.waitFor(ended, { timeout: 20_000, interval: 5 })
      await distributing
      expect(await work(storage)).toBe(20)
    } finally {
      await other.close()
      await drop()
    }
  })

  test('all of a merchant’s rows are at one node, and shards at more than one', async () => {
    const { schema, drop } = await createOnCitus()
    try {
      const ours = (column: string) =>
        `(select oid from pg_class where relnamespace = '"${schema}"'::regnamespace) as ours on ours.oid = ${column}`
      const tables =
        await askCitus(`select count(distinct colocation_id)::int as places, count(*)::int as tables
        from citus_tables join ${ours('table_name::oid')} where citus_table_type = 'distributed'`)
      expect(tables).toEqual([{ places: 1, tables: 10 }])
      const [shards] = await askCitus(
        `select count(distinct nodeport)::int as nodes from citus_shards join ${ours('table_name::oid')}
        where citus_table_type = 'distributed'`,
      )
      expect(shards?.nodes).toBeGreaterThan(1)
    } finally {
      await drop()
    }
  })

  test('tables of an earlier version that are distributed are brought up to date', async () => {
    const { storage, address, schema, drop } = await createInPlain('0005-payment-blocks')
    try {
      await storage.distribute()
      await openShop(storage)
      const { payment } = await storage.payments.start(attempt(), NOW)
      // That version had other functions, which wrote less.
      const table = (name: string) => `"${schema}".tillkit_${name}`
      await askCitus(
        `update ${table('payments')} set status = 'completed' where merchant_id = '${merchantId}'`,
      )
      await askCitus(`insert into ${table('deliveries')}
        (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        values ('${merchantId}', ${payment.id}, 'pending', 0, 0, '${NOW}', '${NOW}')`)
      await askCitus(`drop function "${schema}"."tillkit_${FUNCTIONS.record}"`)
      await storage.migrate()
      expect(await work(storage)).toBe(21)
      const attemptMade = { at: NOW, status: 200, milliseconds: 7, error: null, answer: 'ok' }
      const lease = { merchantId, paymentId: payment.id, fence: 1 }
      const result = { ...lease, state: 'delivered', nextAttemptAt: null, attempt: attemptMade } as const
      expect(await storage.deliveries.record(result)).toBe(true)
      const db = hostDatabaseAt(address)
      const { rows } = await sql`select from pg_index as i join pg_class as c on c.oid = i.indexrelid
        where c.relname = 'tillkit_payments_dates' and c.relnamespace = ${`"${schema}"`}::regnamespace and i.indisvalid`.execute(
        db,
      )
      await db.destroy()
      expect(rows).toHaveLength(1)
    } finally {
      await drop()
    }
  })

  test('a function that an earlier version did not have is asked for, and made by migrate', async () => {
    const { storage, schema, drop } = await createOnCitus()
    try {
      await openShop(storage)
      const { payment } = await storage.payments.start(attempt(), NOW)
      const complete = () => storage.payments.resolve(payment, { status: 'completed' }, NOW)
      await askCitus(`drop function "${schema}"."tillkit_${FUNCTIONS.resolveOfEach}"`)
      await expect(complete()).rejects.toThrow(/are of another version, call storage\.migrate\(\)/)
      await storage.migrate()
      expect((await complete())?.changed).toBe(true)
    } finally {
      await drop()
    }
  })

  test('functions that let nodes keep plans are made anew, at every node, and others left as they are', async () => {
    const { storage, schema, drop } = await createOnCitus()
    const settings = async () => {
      const text = `select proconfig::text from pg_proc where pronamespace = '"${schema}"'::regnamespace order by proname`
      const rows = await askCitus(`select result from run_command_on_all_nodes($$
        select array_agg(coalesce(proconfig::text, '') order by proname) from pg_proc
          where pronamespace = '"${schema}"'::regnamespace $$)`)
      expect(rows.length).toBeGreaterThan(2)
      return { here: await askCitus(text), nodes: rows.map(({ result }) => String(result)) }
    }
    try {
      const made = await settings()
      expect(made.here).toHaveLength(Object.keys(FUNCTIONS).length)
      for (const name of Object.values(FUNCTIONS)) {
        await askCitus(`alter function "${schema}"."tillkit_${name}" reset all`)
      }
      expect((await settings()).nodes.join()).not.toContain('plan_cache_mode')
      await storage.migrate()
      expect(await settings()).toEqual(made)
      expect(new Set(made.nodes).size).toBe(1)
      expect(made.nodes.join()).toContain('plan_cache_mode')
      const versions = () =>
        askCitus(
          `select xmin::text from pg_proc where pronamespace = '"${schema}"'::regnamespace order by proname`,
        )
      const before = await versions()
      await storage.migrate()
      expect(await versions()).toEqual(before)
    } finally {
      await drop()
    }
  })

  test('before migrate it says what is missing', async () => {
    const storage = postgresStorage({ connectionString: citusUrl ?? '' }, { schema: 'not_there' })
    await expect(storage.distribute()).rejects.toThrow(/call storage.migrate\(\) first/)
    await storage.close()
  })
})
