import type { DeliveryResult, Lease, Storage } from '@tillkit/storage'
import { UnreadableRowError } from '@tillkit/storage'
import SqliteDatabase from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, type HostTables, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { overEveryEngine } from '../../engines/index.ts'
import { attempt } from '../shop.ts'

const NOW = '2026-11-20T09:30:00.000Z'
const LATER = '2026-11-20T09:31:00.000Z'
const ALL = { skip: 0, limit: 1000 }

type Db = Kysely<HostTables>
type Damage = (db: Db, address: Address, merchantId: string) => Promise<unknown>

const set =
  (column: string, value: unknown): Damage =>
  (db, _, merchantId) =>
    sql`update tillkit_payments set ${sql.ref(column)} = ${value} where merchant_id = ${merchantId} and id = 1`.execute(
      db,
    )

/** A NULL in a column that may hold none: somebody has changed the table, too. */
const nothingIn =
  (column: string, type: string): Damage =>
  async (db, address, merchantId) => {
    if (address.dialect === 'sqlite') {
      const file = new SqliteDatabase(address.file).unsafeMode()
      file.pragma('writable_schema = on')
      const [before, after] = [`"${column}" ${type} not null`, `"${column}" ${type}`]
      file
        .prepare("update sqlite_schema set sql = replace(sql, ?, ?) where name = 'tillkit_payments'")
        .run(before, after)
      file.close()
      const again = new SqliteDatabase(address.file)
      again
        .prepare(`update tillkit_payments set ${column} = null where merchant_id = ? and id = 1`)
        .run(merchantId)
      again.close()
      return
    }
    if (address.dialect === 'postgres') {
      await sql`alter table tillkit_payments alter column ${sql.ref(column)} drop not null`.execute(db)
    } else {
      const inMysql = type === 'text' ? sql`varchar(64)` : sql`bigint`
      await sql`alter table tillkit_payments modify ${sql.ref(column)} ${inMysql} null`.execute(db)
    }
    await set(column, null)(db, address, merchantId)
  }

/** What makes a payment's row unreadable, and what the fault names. */
const UNREADABLE: [name: string, damage: Damage, fault: RegExp, only?: Address['dialect'][]][] = [
  ['extra that is no JSON', set('extra', '{"broken'), /its extra/, ['sqlite']],
  ['extra that is no object', set('extra', '["a"]'), /its extra/],
  ['extra that is null', set('extra', 'null'), /its extra/],
  ['extra whose values are no text', set('extra', '{"a": {"b": 1}}'), /its extra/],
  ['a status outside its set', set('status', 'lost'), /its status/],
  ['an amount that is no number', set('total_amount', 'much'), /its total_amount/, ['sqlite']],
  ['a date that is no date', set('date', 'infinity'), /its date/, ['sqlite', 'postgres']],
  ['an amount that is missing', nothingIn('total_amount', 'integer'), /its total_amount/],
  ['a scan code that is missing', nothingIn('scan_code', 'text'), /its scan_code/],
]

/** What else takes a delivery its payment. */
const GONE: [name: string, damage: Damage, fault: RegExp][] = [
  [
    'a payment that is gone',
    (db, _, id) => sql`delete from tillkit_payments where merchant_id = ${id} and id = 1`.execute(db),
    /^payment is gone$/,
  ],
  [
    'a merchant that is gone',
    (db, _, id) => sql`delete from tillkit_merchants where id = ${id}`.execute(db),
    /^merchant is gone$/,
  ],
]

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let storage: Storage & { close(): Promise<unknown> }
  let db: Db
  let shops = 0

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    storage = owner
    db = hostDatabaseAt(database.address)
  })

  afterAll(async () => {
    await db.destroy()
    await storage.close()
    await database.drop()
  })

  /** A merchant of its own with as many completed payments, each with its delivery. */
  const shopWith = async (payments: number) => {
    const merchantId = `shop-${++shops}`
    await storage.merchants.create({
      ...{ id: merchantId, name: 'Shop', webhookUrl: 'https://shop.example/hook', createdAt: NOW },
      features: { tips: false, userReferences: false, deviceLists: false },
    })
    for (let n = 0; n < payments; n++) {
      const { payment } = await storage.payments.start({ ...attempt(), merchantId }, NOW)
      await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    }
    return merchantId
  }
  const claim = () =>
    storage.deliveries.claim({ now: LATER, leaseUntil: '2026-11-20T09:40:00.000Z', limit: 100 })
  const aside = ({ merchantId, paymentId, fence }: Lease, error: string): DeliveryResult => ({
    ...{ merchantId, paymentId, fence, state: 'exhausted', nextAttemptAt: null, asked: false },
    attempt: { at: LATER, status: null, milliseconds: 0, error, answer: null },
  })
  const isOver = (only?: Address['dialect'][]) => !only || only.includes(database.address.dialect)

  describe.each([...UNREADABLE, ...GONE])('%s', (_, damage, fault, only?: Address['dialect'][]) => {
    test('is claimed with its fault, keeps nobody back and is set aside', async () => {
      if (!isOver(only)) return
      const [bad, good] = [await shopWith(2), await shopWith(2)]
      await damage(db, database.address, bad)
      const held = await claim()
      const [broken] = held.filter(({ merchantId, paymentId }) => merchantId === bad && paymentId === 1)
      if (!broken) throw new Error('it was not claimed')
      expect([broken.payment, broken.fault]).toEqual([null, expect.stringMatching(fault)])
      expect(broken.fault).not.toMatch(/broken|"a"|lost|much/)
      const whole = held.filter(({ merchantId, payment }) => merchantId === good && payment !== null)
      expect(whole.map(({ paymentId }) => paymentId).sort()).toEqual([1, 2])

      const results = held.map(one => aside(one, one.fault ?? 'done with'))
      const written = await Promise.all(results.map(result => storage.deliveries.record(result)))
      expect(written.every(Boolean)).toBe(true)
      expect(await claim()).toEqual([])
      const { items } = await storage.deliveries.list(bad, 'exhausted', ALL)
      expect(items.find(({ paymentId }) => paymentId === 1)?.lastError).toMatch(fault)
      expect((await storage.deliveries.attempts(bad, [1])).at(-1)?.error).toMatch(fault)
    })
  })

  describe.each(UNREADABLE)('%s', (_, damage, fault, only) => {
    test('fails what reads it, by name, and nobody else’s list', async () => {
      if (!isOver(only)) return
      const [bad, good] = [await shopWith(2), await shopWith(2)]
      await damage(db, database.address, bad)
      for (const reads of [
        () => storage.payments.get({ merchantId: bad, id: 1 }),
        () => storage.payments.list(bad, {}, ALL),
      ]) {
        const error = await reads().then(
          () => 'it was read',
          error => error,
        )
        expect(error).toBeInstanceOf(UnreadableRowError)
        expect(error.message).toMatch(`payment 1 of merchant ${bad} cannot be read`)
        expect(error.message).toMatch(fault)
      }
      expect((await storage.payments.get({ merchantId: bad, id: 2 }))?.id).toBe(2)
      expect((await storage.payments.list(good, {}, ALL)).total).toBe(2)
      expect((await storage.deliveries.list(bad, undefined, ALL)).items.length).toBe(2)
    })
  })

  test.each([
    ['the first of a page', 3],
    ['the last of a page', 2],
  ])('a payment that is gone leaves the total as it was: %s', async (_, gone) => {
    const merchantId = await shopWith(3)
    await sql`delete from tillkit_payments where merchant_id = ${merchantId} and id = ${gone}`.execute(db)
    for (const filter of [{}, { startDate: '2026-11-20T09:00:00Z' }]) {
      const { total } = await storage.payments.list(merchantId, filter, { skip: 0, limit: 2 })
      expect(total).toBe(3)
    }
  })

  test('a lease whose number is missing is given one, so that its result counts', async () => {
    const merchantId = await shopWith(1)
    const { dialect } = database.address
    if (dialect === 'sqlite') return
    const alter =
      dialect === 'postgres' ? sql`alter column fence drop not null` : sql`modify fence bigint null`
    await sql`alter table tillkit_deliveries ${alter}`.execute(db)
    await sql`update tillkit_deliveries set fence = null where merchant_id = ${merchantId}`.execute(db)
    const [held] = (await claim()).filter(one => one.merchantId === merchantId)
    if (!held) throw new Error('it was not claimed')
    expect(await storage.deliveries.record(aside(held, 'done with'))).toBe(true)
  })
})
