import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { overEveryEngine } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const COUNT = 20
const OUTCOMES = [
  { status: 'completed' },
  { status: 'error', failure: 'declined' },
  { status: 'error', failure: 'expired' },
] as const

const LATER = '2026-11-20T09:31:00.000Z'

/** What is said of one payment, or asked by one key, while others of its merchant wait as well: it is not written with its like. */
overEveryEngine(({ create }) => {
  let storage: DatabaseStorage
  let drop: () => Promise<void>

  beforeEach(async () => {
    const database = await create()
    drop = database.drop
    storage = storageAt(database.address)
    await storage.migrate()
    await openShop(storage)
  })

  afterEach(async () => {
    await storage.close()
    await drop()
  })

  test.each([1, 0])(
    'outcomes that contradict each other: one counts, and the others learn which; deliveries: %i',
    async deliveries => {
      if (deliveries === 0) await storage.merchants.update(merchantId, { webhookUrl: null }, NOW)
      const started = await Promise.all(
        Array.from({ length: COUNT }, () => storage.payments.start(attempt(), NOW)),
      )
      const told = await Promise.all(
        started.map(({ payment }) =>
          Promise.all(OUTCOMES.map(outcome => storage.payments.resolve(payment, outcome, NOW))),
        ),
      )
      const { items } = await storage.payments.list(merchantId, {}, ALL)
      for (const [n, answers] of told.entries()) {
        expect(answers.filter(one => one?.changed)).toHaveLength(1)
        const kept = items.find(({ id }) => id === started[n]?.payment.id)
        expect(answers.map(one => one?.payment)).toEqual(OUTCOMES.map(() => kept))
      }
      expect((await storage.deliveries.list(merchantId, undefined, ALL)).total).toBe(deliveries * COUNT)
    },
  )

  test('attempts of one key: one is recorded, and one call may charge', async () => {
    const keys = Array.from({ length: COUNT }, (_, n) => `order-${n}`)
    const told = await Promise.all(
      keys.flatMap(attemptKey => OUTCOMES.map(() => storage.payments.start(attempt({ attemptKey }), NOW))),
    )
    expect(told.filter(({ created }) => created)).toHaveLength(COUNT)
    expect(new Set(told.map(({ payment }) => payment.id)).size).toBe(COUNT)
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(COUNT)
  })

  test('starts that are given another time than those before them are dated by their own', async () => {
    const times = Array.from({ length: COUNT }, (_, n) => (n < COUNT / 2 ? NOW : LATER))
    const told = await Promise.all(times.map(time => storage.payments.start(attempt(), time)))
    // One that was asked for before may be recorded after them, and is dated no earlier than they are.
    const dates = new Set(told.slice(COUNT / 2).map(({ payment }) => payment.date))
    expect([...dates]).toEqual(['2026-11-20T09:31:00Z'])
  })
})
