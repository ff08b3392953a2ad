import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../../src/index.ts'
import { hostDatabaseAt, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { overPostgresAndSqlite } from '../../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../shop.ts'

// More than there are connections.
const OTHERS = Array.from({ length: 24 }, (_, n) => `other-${n}`)
const CASH_UP = { reference: 'c'.repeat(32), idempotencyKey: null, now: NOW }
const KEPT_OUT =
  /^a trigger of the database keeps a row of a Tillkit table from being written, or writes it elsewhere/

// A trigger of MariaDB's or MySQL's that keeps a row out says so.
overPostgresAndSqlite(({ name, create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage

  beforeEach(async () => {
    database = await create()
    storage = storageAt(database.address)
    await storage.migrate()
    for (const id of [merchantId, ...OTHERS]) await openShop(storage, id)
  })

  afterEach(async () => {
    await storage.close()
    await database.drop()
  })

  const ask = async (...statements: string[]) => {
    const host = hostDatabaseAt(database.address)
    for (const statement of statements) await sql.raw(statement).execute(host)
    await host.destroy()
  }

  /** A trigger before rows are written to the table, which keeps those out that `when` says. */
  const keepOut = (event: 'insert' | 'update', table: string, when: string) =>
    name === 'SQLite'
      ? ask(
          `create trigger keeps_out before ${event} on ${table} when ${when} begin select raise(ignore); end`,
        )
      : ask(
          `create or replace function keeps_out() returns trigger language plpgsql as 'begin return null; end'`,
          `create trigger keeps_out before ${event} on ${table} for each row when (${when}) execute function keeps_out()`,
        )
  const letIn = (table: string) =>
    ask(name === 'SQLite' ? 'drop trigger keeps_out' : `drop trigger keeps_out on ${table}`)

  const start = (at: Pick<DatabaseStorage, 'payments'>, fields: Parameters<typeof attempt>[0] = {}) =>
    at.payments.start(attempt(fields), NOW)

  const STARTS: [name: string, start: (storage: DatabaseStorage) => Promise<unknown>][] = [
    ['a start', storage => start(storage)],
    ['one with an attempt key', storage => start(storage, { attemptKey: 'k' })],
    ['a strict one', storage => start(storage, { strict: true, merchantReference: 'm' })],
    ['one in a transaction of the host’s', storage => storage.transaction(till => start(till))],
  ]

  const numbersOf = async (id = merchantId) =>
    (await storage.payments.list(id, {}, ALL)).items.map(payment => payment.id)

  describe.each([
    ['insert', 'tillkit_payments', 'new.total_amount = 100'],
    ['update', 'tillkit_ledgers', 'new.last_payment_id > old.last_payment_id'],
  ] as const)('where an %s of %s is kept out', (event, table, when) => {
    test.each(STARTS)('%s is refused and leaves nothing', async (_, start) => {
      await keepOut(event, table, when)
      const refused = await start(storage).catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused).toHaveProperty('message', expect.stringMatching(KEPT_OUT))
      expect(await numbersOf()).toEqual([])

      await letIn(table)
      expect(await start(storage)).toMatchObject({ created: true, payment: { id: 1 } })
      expect(await numbersOf()).toEqual([1])
    })
  })

  test('of starts that are written together only those are refused whose rows are kept out', async () => {
    await keepOut('insert', 'tillkit_payments', 'new.total_amount = 13')
    const amounts = Array.from({ length: 12 }, (_, n) => (n === 3 ? 13 : 100 + n))
    const ids = [merchantId, ...OTHERS]
    const asked = ids.flatMap(id =>
      amounts.map(totalAmount => start(storage, { merchantId: id, totalAmount })),
    )
    const answers = await Promise.allSettled(asked)

    const isRefused = answers.map(answer => answer.status === 'rejected')
    expect(isRefused).toEqual(ids.flatMap(() => amounts.map(amount => amount === 13)))
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason.message).toMatch(KEPT_OUT)
    }
    for (const id of ids) {
      expect(await numbersOf(id)).toEqual(Array.from({ length: 11 }, (_, n) => 11 - n))
    }
  })

  test.each([
    ['by itself', 1],
    ['of many', 30],
  ])('an outcome %s is refused where the update of its payment is kept out', async (_, many) => {
    const payments = await Promise.all(Array.from({ length: many }, () => start(storage)))
    const complete = () =>
      Promise.allSettled(
        payments.map(({ payment }) => storage.payments.resolve(payment, { status: 'completed' }, NOW)),
      )
    await keepOut('update', 'tillkit_payments', 'new.id = 1')
    const [first, ...others] = await complete()
    expect(first).toMatchObject({ reason: { message: expect.stringMatching(KEPT_OUT) } })
    for (const other of others) expect(other).toMatchObject({ value: { changed: true } })
    expect(await storage.payments.get({ merchantId, id: 1 })).toMatchObject({ status: 'pending' })
    expect((await storage.deliveries.counts(NOW)).pending).toBe(many - 1)

    await letIn('tillkit_payments')
    expect((await complete())[0]).toMatchObject({ value: { changed: true } })
  })

  test.each([
    ['insert', 'tillkit_cash_ups', 'new.number > 0'],
    ['update', 'tillkit_ledgers', 'new.last_cash_up_number > old.last_cash_up_number'],
  ] as const)('a cash up is refused where an %s of %s is kept out', async (event, table, when) => {
    await startedCompleted(storage, 1)
    await keepOut(event, table, when)
    await expect(storage.cashUps.create(merchantId, CASH_UP)).rejects.toThrow(KEPT_OUT)
    expect((await storage.cashUps.list(merchantId, ALL)).items).toEqual([])

    await letIn(table)
    await storage.cashUps.create(merchantId, CASH_UP)
    expect(await storage.cashUps.payments(merchantId, CASH_UP.reference, ALL)).toMatchObject({
      items: [{ id: 1 }],
    })
  })

  test.each(['merchants', 'ledgers'])('a merchant is refused whose row of %s is kept out', async table => {
    const key = table === 'merchants' ? 'id' : 'merchant_id'
    await keepOut('insert', `tillkit_${table}`, `new.${key} = 'late'`)
    await expect(openShop(storage, 'late')).rejects.toThrow(KEPT_OUT)
    expect(await storage.merchants.get('late')).toBeNull()

    await letIn(`tillkit_${table}`)
    await openShop(storage, 'late')
    expect(await start(storage, { merchantId: 'late' })).toMatchObject({ created: true })
  })

  test('a delivery whose lease is kept out is not handed over: it would be again and again', async () => {
    await startedCompleted(storage, 3)
    await keepOut('update', 'tillkit_deliveries', 'new.payment_id = 2')
    const request = { now: NOW, leaseUntil: '2026-11-20T09:31:00.000Z', limit: 10 }
    const ids = (await storage.deliveries.claim(request)).map(({ paymentId }) => paymentId)
    expect(ids).toEqual([1, 3])
    expect(await storage.deliveries.claim(request)).toEqual([])

    await letIn('tillkit_deliveries')
    expect(await storage.deliveries.claim(request)).toMatchObject([{ paymentId: 2, attempts: 0 }])
  })

  test.runIf(name === 'PostgreSQL')('nor is one that a trigger has written as it was', async () => {
    await startedCompleted(storage, 2)
    await ask(
      `create function stays() returns trigger language plpgsql as 'begin return old; end'`,
      `create trigger stays before update on tillkit_deliveries for each row when (new.payment_id = 2)
        execute function stays()`,
    )
    const request = { now: NOW, leaseUntil: '2026-11-20T09:31:00.000Z', limit: 10 }
    expect(await storage.deliveries.claim(request)).toMatchObject([{ paymentId: 1 }])
    expect(await storage.deliveries.claim(request)).toEqual([])
  })
})
