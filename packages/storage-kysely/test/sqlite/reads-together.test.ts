import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import { type StatementMessage, statementChannel } from '@tillkit/storage/channels'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { besideAnother } from './beside-another.ts'

const at = besideAnother()

beforeEach(async () => {
  await openShop(at.storage)
  await at.storage.payments.start(attempt(), NOW)
  // The first opens the file for reading.
  await amountNow()
  await setImmediate()
})

const amountNow = async () => (await at.storage.payments.get({ merchantId, id: 1 }))?.totalAmount
const change = (amount: number) =>
  at.other.prepare('update tillkit_payments set total_amount = ?').run(amount)

/** Asks so often in one turn of the event loop, so that all but the first wait for its end. */
const severalTimes = <Result>(ask: () => Promise<Result>) => Array.from({ length: 5 }, ask)

test('no read finds what was there before it asked, whoever wrote meanwhile', async () => {
  const step = fc.constantFrom('read', 'read', 'read', 'write', 'go on')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async steps => {
      let written = 0
      change(written)
      const reads: Promise<void>[] = []
      const read = async () => {
        const before = written
        const found = await amountNow()
        expect(found).toBeGreaterThanOrEqual(before)
        expect(found).toBeLessThanOrEqual(written)
      }
      for (const step of steps) {
        if (step === 'read') reads.push(read())
        else if (step === 'write') change(++written)
        else await setImmediate()
      }
      await Promise.all(reads)
    }),
  )
})

test('who has an answer and asks again finds what was written in between', async () => {
  const chain = async () => {
    for (let written = 1; written <= 20; written++) {
      change(written)
      expect(await amountNow()).toBe(written)
    }
  }
  await chain()
  await Promise.all([amountNow(), amountNow(), amountNow(), chain()])
})

test('a read that fails does so alone', async () => {
  at.other.exec('alter table tillkit_cash_ups rename to gone')
  const all = { skip: 0, limit: 10 }
  const asked = [
    ...severalTimes(amountNow),
    ...severalTimes(() => at.storage.cashUps.payments(merchantId, 'monday', all)),
    ...severalTimes(amountNow),
  ]
  const ended = (await Promise.allSettled(asked)).map(({ status }) => status)
  const found = Array.from({ length: 5 }, () => 'fulfilled')
  expect(ended).toEqual([...found, ...found.map(() => 'rejected'), ...found])
  change(7)
  expect(await amountNow()).toBe(7)
})

test('reads wait together for whoever recovers the log after a crash, and the event loop goes on', async () => {
  const { file } = at
  const { prepare } = SqliteDatabase.prototype
  let recovers = true
  /** A moment that no test can choose: SQLite says so to those who read before another is done. */
  SqliteDatabase.prototype.prepare = function (this: SqliteDatabase.Database, text: string) {
    const statement: SqliteDatabase.Statement = prepare.call(this, text)
    if (!text.startsWith('select')) return statement
    const all = statement.all.bind(statement)
    statement.all = (...values: unknown[]) => {
      if (recovers) throw new SqliteDatabase.SqliteError('database is locked', 'SQLITE_BUSY_RECOVERY')
      return all(...values)
    }
    return statement
  } as never
  const reader = sqliteStorage({ file })
  try {
    const opened = reader.payments.get({ merchantId, id: 1 })
    recovers = false
    await opened
    await setImmediate()
    recovers = true
    let answered = 0
    const answers = severalTimes(() =>
      reader.payments.get({ merchantId, id: 1 }).then(found => {
        answered += 1
        return found?.totalAmount
      }),
    )
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    expect(answered).toBe(0)
    recovers = false
    expect(await Promise.all(answers)).toEqual(answers.map(() => 100))
  } finally {
    SqliteDatabase.prototype.prepare = prepare
    await reader.close()
  }
})

test('reads that the storage is closed before are told so', async () => {
  const asked = Promise.allSettled(severalTimes(amountNow))
  await at.storage.close()
  const [first, ...others] = await asked
  expect(first?.status).toBe('fulfilled')
  for (const one of others) {
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'the storage is closed' } })
    expect((one as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseError)
  }
})

test('each read is told of as of who asked', async () => {
  const who = new AsyncLocalStorage<number>()
  const heard: [number | undefined, string][] = []
  const hear = (message: unknown) => void heard.push([who.getStore(), (message as StatementMessage).name])
  statementChannel.start.subscribe(hear)
  try {
    await Promise.all([1, 2, 3, 4].map(n => who.run(n, amountNow)))
  } finally {
    statementChannel.start.unsubscribe(hear)
  }
  expect(heard).toEqual([1, 2, 3, 4].map(n => [n, 'SELECT tillkit_payments']))
})

test("a host's test that has stopped the clock has its answers all the same", async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] })
  try {
    await openShop(at.storage, 'another')
    const amounts = severalTimes(amountNow)
    expect(await Promise.all(amounts)).toEqual(amounts.map(() => 100))
  } finally {
    vi.useRealTimers()
  }
})

test('a list and its total are of one moment while this process writes', async () => {
  const { payments, deliveries } = at.storage
  const pay = async () => {
    const { payment } = await payments.start(attempt(), NOW)
    await payments.resolve(payment, { status: 'completed' }, NOW)
  }
  const statuses = ['pending', 'completed', 'error'] as const
  const looks = [
    ...statuses.map(status => () => payments.list(merchantId, { status: [status] }, ALL)),
    () => payments.list(merchantId, { scanCode: 'till-1' }, ALL),
    () => payments.list(merchantId, {}, ALL),
    () => deliveries.list(merchantId, 'pending', ALL),
  ]
  for (let round = 0; round < 40; round++) {
    const paid = [pay(), pay(), pay()]
    const lists: ReturnType<(typeof looks)[number]>[] = []
    for (let turn = 0; turn < 6; turn++) {
      lists.push(...looks.map(look => look()))
      await setImmediate()
    }
    for (const { items, total } of await Promise.all(lists)) expect(items).toHaveLength(total)
    await Promise.all(paid)
  }
})
