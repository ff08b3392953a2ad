import { createTill, type Till } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { blockOf, page } from './by-hand-page.ts'
import { eagerStorage } from './counts/counting-storage.ts'
import { type HostTables, hostDatabaseAt, storageAt } from './engines/address.ts'
import type { Engine } from './engines/engine.ts'
import { overEveryEngine } from './engines/index.ts'
import { found } from './inspection/checked.ts'

const SHOP = 'corner-shop'
const KEPT = ['tillkit_payment_blocks', 'tillkit_payment_sums']

/** The tables that the page lists for a merchant that moves. */
const MOVED = /^`tillkit_merchants`.*$/m.exec(page)?.[0].match(/tillkit_\w+/g) ?? []

interface Place {
  storage: DatabaseStorage
  till: Till
  db: Kysely<HostTables>
}

async function openIn(create: Engine['create']): Promise<Place> {
  const database = await create()
  const storage = storageAt(database.address)
  const db = hostDatabaseAt(database.address)
  await storage.migrate()
  // Blocks of two are kept at each look, so that few payments have all that many have.
  const till = createTill({ storage: eagerStorage(db, database.address.dialect, 2), logger: false })
  onTestFinished(async () => {
    await till.close()
    await db.destroy()
    await storage.close()
    await database.drop()
  })
  return { storage, till, db }
}

async function takePayments(till: Till): Promise<void> {
  await till.merchants.create({
    ...{ id: SHOP, name: 'Corner Shop', webhookUrl: 'https://shop.example/hook' },
    features: { userReferences: true },
  })
  await till.scanCodes.create(SHOP, { code: 'counter-1' })
  for (let n = 1; n <= 12; n++) {
    const payment = await till.payments.start({
      ...{ scanCode: 'counter-1', totalAmount: 100 * n, userReference: 'Ann', extra: { table: 'five' } },
    })
    if (n % 3 === 0) await till.payments.fail(payment)
    else await till.payments.complete(payment)
    if (n === 8) await till.cashUps.create(SHOP)
  }
  await till.payments.settle(SHOP, { statementReference: 'BANK-1', paymentIds: [1, 2, 4] })
}

/** What the till says of the shop that is counted or kept. */
async function saidOf(till: Till) {
  const total = async (status: 'completed' | 'error') =>
    (await till.payments.list(SHOP, { filter: { status } })).total
  const cashUps = await till.cashUps.list(SHOP)
  const periods = []
  for (const { reference } of cashUps.items) {
    periods.push((await till.cashUps.payments(SHOP, reference)).total)
    periods.push((await till.reports.period(SHOP, { reference })).byStatus)
  }
  return {
    totals: [await total('completed'), await total('error')],
    periods,
    open: (await till.reports.period(SHOP)).byStatus,
    settled: await till.settlements.get('BANK-1'),
  }
}

const runAll = async (db: Kysely<HostTables>, statements: string[]) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const idOf = (table: string) => sql.ref(table === 'tillkit_merchants' ? 'id' : 'merchant_id')

const rowsOf = async (db: Kysely<HostTables>, table: string) =>
  (
    await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} where ${idOf(table)} = ${SHOP}`.execute(db)
  ).rows

const deleteFrom = (db: Kysely<HostTables>, table: string) =>
  sql`delete from ${sql.table(table)} where ${idOf(table)} = ${SHOP}`.execute(db)

/** A value as it is written: mysql2 reads JSON as what it says. */
const written = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

async function copyRows(from: Kysely<HostTables>, to: Kysely<HostTables>, table: string): Promise<void> {
  for (const { pending_date: _, ...row } of await rowsOf(from, table)) {
    const columns = sql.join(Object.keys(row).map(column => sql.ref(column)))
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row).map(written))})`.execute(
      to,
    )
  }
}

overEveryEngine(({ create, name: engine }) => {
  test('payments that are changed by hand are counted again', async () => {
    const { till, db } = await openIn(create)
    await takePayments(till)
    const before = await saidOf(till)
    expect((await rowsOf(db, 'tillkit_payment_blocks')).length).toBeGreaterThan(0)
    expect((await rowsOf(db, 'tillkit_payment_sums')).length).toBeGreaterThan(0)
    await runAll(db, [
      `update tillkit_payments set status = 'error', statement_reference = null where id = 2`,
      `update tillkit_payments set status = 'error' where id = 10`,
    ])
    expect((await saidOf(till)).totals).toEqual(before.totals)
    await runAll(db, blockOf('sql', 'counted-again.sql'))
    const after = await saidOf(till)
    expect(after.totals).toEqual([6, 6])
    expect(after.periods[0]).toBe(5)
    expect(after.periods[1]).toMatchObject({ completed: { count: 5, totalAmount: 2500 } })
    expect(after.open).toMatchObject({ completed: { count: 1, totalAmount: 1100 } })
    expect(after.settled).toMatchObject({ count: 2, amount: 500 })
    await runAll(db, blockOf('sql', 'counted-again.sql'))
    expect(await saidOf(till)).toEqual(after)
  })

  test('a ledger of an earlier moment than its payments is put forward', async () => {
    const { storage, till, db } = await openIn(create)
    await takePayments(till)
    const before = await saidOf(till)
    const ledger = await rowsOf(db, 'tillkit_ledgers')
    await runAll(db, [
      `update tillkit_ledgers set last_payment_id = 7, last_cash_up_number = 0, last_cash_up_payment_id = 0`,
    ])
    expect((await found(storage, 'ledgers')).length).toBe(3)
    await runAll(db, blockOf('sql', 'ledger-forward.sql'))
    expect(await rowsOf(db, 'tillkit_ledgers')).toEqual(ledger)
    expect(await found(storage, 'ledgers')).toEqual([expect.stringMatching(/^ok: /)])
    expect(await saidOf(till)).toEqual(before)
    expect((await till.payments.start({ scanCode: 'counter-1', totalAmount: 5 })).id).toBe(13)
  })

  test('a merchant moves to another database, and back', async () => {
    const [one, other] = [await openIn(create), await openIn(create)]
    await takePayments(one.till)
    const { apiKey } = await one.till.apiKeys.issue(SHOP)
    const before = await saidOf(one.till)
    const deliveries = await one.till.webhooks.list(SHOP)
    await one.till.merchants.suspend(SHOP)
    for (const table of MOVED) await copyRows(one.db, other.db, table)
    for (const table of [...MOVED, ...KEPT]) await deleteFrom(one.db, table)
    await other.till.merchants.resume(SHOP)
    expect(await one.till.merchants.get(SHOP)).toBe(null)
    expect(await saidOf(other.till)).toEqual(before)
    expect(await other.till.webhooks.list(SHOP)).toEqual(deliveries)
    expect(await other.till.authenticate(apiKey)).toMatchObject({ id: SHOP })
    expect((await other.till.payments.start({ scanCode: 'counter-1', totalAmount: 5 })).id).toBe(13)
    expect(await found(other.storage, 'ledgers')).toEqual([expect.stringMatching(/^ok: /)])
    await takePayments(one.till)
    const anew = await saidOf(one.till)
    expect([anew.totals, anew.open]).toEqual([before.totals, before.open])
  })

  test('who paid is forgotten, and nothing else', async () => {
    const { till, db } = await openIn(create)
    await takePayments(till)
    const before = await saidOf(till)
    const date = engine === 'SQLite' ? '2999-01-01T00:00:00Z' : '2999-01-01 00:00:00'
    await runAll(
      db,
      blockOf('sql', 'forgotten.sql').map(one => one.replace('2020-01-01 00:00:00', date)),
    )
    expect(await saidOf(till)).toEqual(before)
    const { items } = await till.payments.list(SHOP)
    expect(items.map(({ userReference, extra }) => ({ userReference, extra }))).toEqual(
      items.map(() => ({ userReference: null, extra: {} })),
    )
  })
})
