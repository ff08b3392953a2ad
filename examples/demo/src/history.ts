import type { Storage } from '@tillkit/storage'
import { createTill, type Payment, type Till } from '@tillkit/till'
import { whole } from './chance.ts'
import { openShop, SHOPS, type Shop } from './shops.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const DAYS = 21
/** A settlement pays out what completed up to a day, two days later. */
const SETTLED_AFTER = 2

/**
 * Opens the shops and lets three weeks go by up to `until`: customers by day, a cash up each night, settlements two days
 * later, and a few payments of the last minutes still pending.
 */
export async function writeHistory(storage: Storage, until: Date): Promise<void> {
  for (const shop of SHOPS) {
    const time = { now: new Date(until.getTime() - DAYS * DAY) }
    const till = createTill({ storage, clock: () => time.now, rememberSeconds: 3600 })
    await openShop(till, shop)
    let order = 1000
    const midnight = Math.floor(until.getTime() / DAY) * DAY
    for (let day = DAYS; day >= 1; day--) {
      const completed: number[] = []
      for (const at of openingHours(midnight - day * DAY, shop.customers)) {
        time.now = at
        const payment = await pay(till, shop, order++)
        if (payment.status === 'completed') completed.push(payment.id)
      }
      time.now = new Date(midnight - day * DAY + 21 * HOUR)
      await till.cashUps.create(shop.id)
      if (day > SETTLED_AFTER) await settle(till, shop, time.now, completed)
    }
    for (const minutes of [9, 6, 4, 2, 1]) {
      time.now = new Date(until.getTime() - minutes * 60_000)
      await (minutes > 3 ? pay(till, shop, order++) : till.payments.start(shop.order(order++)))
    }
  }
}

/** When a day's customers come, in order: from eight to eight. */
function openingHours(day: number, customers: number): Date[] {
  const count = customers + whole(-3, 3)
  return Array.from({ length: count }, () => day + 8 * HOUR + whole(0, 12 * 3600) * 1000)
    .sort((a, b) => a - b)
    .map(at => new Date(at))
}

async function pay(till: Till, shop: Shop, order: number): Promise<Payment> {
  const payment = await till.payments.start(shop.order(order))
  if (payment.status !== 'pending') return payment
  return whole(1, 12) === 1
    ? till.payments.fail(payment, { failure: 'card_declined' })
    : till.payments.complete(payment)
}

async function settle(till: Till, shop: Shop, day: Date, paymentIds: number[]): Promise<void> {
  const statementReference = `${shop.id.slice(0, 2).toUpperCase()}-${day.toISOString().slice(0, 10)}`
  await till.payments.settle(shop.id, { statementReference, paymentIds })
}
