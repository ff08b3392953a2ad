import type { Storage } from '@tillkit/storage'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
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
      await storage.payments.resolve({ merchantId, id: payment.id }, { status: 'completed' }, NOW)
      // That version had other functions.
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

  test('before migrate it says what is missing', async () => {
    const storage = postgresStorage({ connectionString: citusUrl ?? '' }, { schema: 'not_there' })
    await expect(storage.distribute()).rejects.toThrow(/call storage.migrate\(\) first/)
    await storage.close()
  })
})
