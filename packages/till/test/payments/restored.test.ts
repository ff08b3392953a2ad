import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { tillOf } from '../till-of.ts'

/** A storage whose database `restore` puts back to an older state: an empty one, in which another payment gets the first id. */
function restorable() {
  let database = memoryStorage()
  const storage = new Proxy({} as Storage, { get: (_, name) => Reflect.get(database, name) })
  const restore = async () => {
    database = memoryStorage()
    const restored = await tillOf({ storage, clock: () => new Date('2026-11-20T09:40:00Z') })
    await restored.pay({ totalAmount: 400 })
  }
  return { storage, restore }
}

test('what became of a payment is not recorded for another, that got the id in an older state of the database', async () => {
  const { storage, restore } = restorable()
  const { logger, lines } = collected()
  const { till, pay } = await tillOf({ storage, logger })
  await pay()
  const counts = await till.payments.reconcile(
    async () => {
      await restore()
      return { status: 'completed' }
    },
    { olderThanSeconds: 0 },
  )
  expect(counts).toEqual({ completed: 0, failed: 0, pending: 0, unknown: 0, errors: 1 })
  expect(lines).toEqual([
    [
      'error',
      { merchantId: 'shop', paymentId: 1, error: 'another payment has its id by now' },
      'the outcome of a payment was not recorded',
    ],
  ])
  expect(await till.payments.get('shop', 1)).toMatchObject({ totalAmount: 400, status: 'pending' })
})

test('a payment that got the id of a stale one in an older state of the database is not failed in its place', async () => {
  const { storage, restore } = restorable()
  const { logger, lines } = collected()
  const { till, pay, clock } = await tillOf({ storage, logger })
  await pay()
  clock.now = new Date('2026-11-20T09:35:00Z')
  const { payments } = storage
  const { pendingSince } = payments
  payments.pendingSince = async range => {
    const found = await pendingSince(range)
    await restore()
    return found
  }
  expect(await till.payments.failStale({ olderThanSeconds: 60 })).toBe(0)
  expect(lines).toEqual([
    [
      'error',
      { merchantId: 'shop', paymentId: 1, error: 'another payment has its id by now' },
      'a stale payment was not failed',
    ],
  ])
  expect(await till.payments.get('shop', 1)).toMatchObject({ totalAmount: 400, status: 'pending' })
})
