import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { tillOf } from '../till-of.ts'

test('what became of a payment is not recorded for another, that got the id in an older state of the database', async () => {
  let database = memoryStorage()
  const storage = new Proxy({} as Storage, { get: (_, name) => Reflect.get(database, name) })
  const { logger, lines } = collected()
  const { till, pay, clock } = await tillOf({ storage, logger })
  await pay()
  const counts = await till.payments.reconcile(
    async () => {
      database = memoryStorage()
      clock.now = new Date('2026-11-20T09:40:00Z')
      const restored = await tillOf({ storage, clock: () => clock.now })
      await restored.pay({ totalAmount: 400 })
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
