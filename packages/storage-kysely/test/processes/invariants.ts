import type { CashUp, Delivery, Payment } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { expect } from 'vitest'
import type { Acknowledged } from './acknowledged.ts'

const PAGE = 1000

async function all<Item>(
  list: (slice: { skip: number; limit: number }) => Promise<{ items: Item[]; total: number }>,
) {
  const items: Item[] = []
  for (let skip = 0; ; skip += PAGE) {
    const page = await list({ skip, limit: PAGE })
    items.push(...page.items)
    if (items.length >= page.total) return items
  }
}

/** Expects that a race left nothing out of order, and that everything acknowledged is there. */
export async function expectInvariants(
  storage: Storage,
  merchantId: string,
  acknowledged: Acknowledged[],
): Promise<void> {
  const payments = (await all<Payment>(slice => storage.payments.list(merchantId, {}, slice))).toReversed()
  const deliveries = await all<Delivery>(slice => storage.deliveries.list(merchantId, undefined, slice))
  const cashUps = await all<CashUp>(slice => storage.cashUps.list(merchantId, slice))

  const ids = payments.map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, n) => n + 1))
  expect(inOrder(payments.map(({ date }) => date))).toBe(true)
  expect(inOrder(cashUps.map(({ date }) => date).toReversed())).toBe(true)

  const decided = payments.filter(({ status }) => status !== 'pending')
  expect(deliveries.map(({ paymentId }) => paymentId)).toEqual(decided.map(({ id }) => id).toReversed())

  const live = payments.filter(({ strict, status }) => strict && status !== 'error')
  expect(repeated(live.map(({ merchantReference }) => merchantReference))).toEqual([])

  const kept = (payment: Payment) => payments[payment.id - 1]
  for (const entry of acknowledged) {
    if (entry.call === 'start') {
      const { status, failure, statementReference: _, ...started } = entry.payment
      expect(kept(entry.payment)).toMatchObject(
        status === 'error' ? { ...started, status, failure } : started,
      )
    } else if (entry.call === 'resolve') {
      expect(kept(entry.payment)).toEqual(entry.payment)
    } else {
      expect(cashUps).toContainEqual(entry.cashUp)
    }
  }
  expect(repeatedPayments(acknowledged.filter(entry => entry.call === 'start' && entry.created))).toEqual([])
  expect(repeatedPayments(acknowledged.filter(entry => entry.call === 'resolve' && entry.changed))).toEqual(
    [],
  )
  expectOneForEachKey(acknowledged)
  await expectOnePeriodEach(storage, merchantId, payments)
}

/** Each attempt key stands for one payment, and each idempotency key for one cash up. */
function expectOneForEachKey(acknowledged: Acknowledged[]): void {
  const made = new Map<string, string>()
  for (const entry of acknowledged) {
    const [key, name] =
      entry.call === 'start'
        ? [entry.attemptKey, `${entry.payment.id}`]
        : entry.call === 'cashUp'
          ? [entry.idempotencyKey, entry.cashUp.reference]
          : [null, '']
    if (key === null) continue
    expect([key, made.get(key) ?? name]).toEqual([key, name])
    made.set(key, name)
  }
}

/** Ends the last period, completes what is pending, and finds each completed payment in one period. */
async function expectOnePeriodEach(storage: Storage, merchantId: string, payments: Payment[]): Promise<void> {
  const now = new Date().toISOString()
  const last = { reference: 'f'.repeat(32), idempotencyKey: null, now }
  await storage.cashUps.create(merchantId, last)
  for (const payment of payments) {
    if (payment.status === 'pending') await storage.payments.resolve(payment, { status: 'completed' }, now)
  }
  const completed: number[] = []
  for (const { reference } of await all<CashUp>(slice => storage.cashUps.list(merchantId, slice))) {
    const period = await all<Payment>(async slice => {
      const page = await storage.cashUps.payments(merchantId, reference, slice)
      if (page === null || page === 'not_ready') throw new Error(`period ${reference} is ${page}`)
      return page
    })
    completed.push(...period.map(({ id }) => id))
  }
  const failed = payments.filter(({ status }) => status === 'error').map(({ id }) => id)
  expect([...completed, ...failed].sort((a, b) => a - b)).toEqual(payments.map(({ id }) => id))
}

function inOrder(dates: string[]): boolean {
  return dates.every((date, n) => n === 0 || (dates[n - 1] ?? '') <= date)
}

/** What was acknowledged of payments that more than one call says to have made, or to have given its outcome. */
function repeatedPayments(doers: Acknowledged[]): Acknowledged[] {
  const idOf = (entry: Acknowledged) => ('payment' in entry ? entry.payment.id : null)
  const again = repeated(doers.map(idOf))
  return doers.filter(entry => again.includes(idOf(entry)))
}

function repeated<Item>(items: Item[]): Item[] {
  return items.filter((item, n) => items.indexOf(item) !== n)
}
