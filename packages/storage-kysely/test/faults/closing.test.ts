import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryEngine } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, startedCompleted } from './shop.ts'

/** More than a pool has connections. */
const MANY = 15

overEveryEngine(({ create }) => {
  const shop = inAShop(create)
  let storage: DatabaseStorage

  beforeEach(async () => {
    await startedCompleted(shop.storage, 2)
    storage = storageAt(shop.database.address)
  })

  afterEach(() => storage.close())

  const started = (): Promise<number>[] =>
    Array.from({ length: MANY }, async (_, n) => {
      const how = attempt({ strict: n % 2 === 0, merchantReference: `order ${n}` })
      return (await storage.payments.start(how, NOW)).payment.id
    })
  const read = (): Promise<unknown>[] => [
    ...Array.from({ length: MANY }, () => storage.payments.list(merchantId, {}, ALL)),
    ...Array.from({ length: MANY }, () => storage.payments.get({ merchantId, id: 1 })),
  ]

  test.each([
    ['nothing was called before', 0],
    ['there is a connection', 1],
    ['there are many', MANY],
  ])('calls begun as it closes are answered, or told that it is closed: %s', async (_, before) => {
    await Promise.all(Array.from({ length: before }, () => storage.merchants.get(merchantId)))
    const [starts, reads] = [started(), read()]
    const answers = Promise.allSettled([...starts, ...reads])
    await storage.close()
    for (const answer of await answers) {
      if (answer.status === 'fulfilled') continue
      expect(answer.reason).toBeInstanceOf(DatabaseError)
      expect(answer.reason.message).toBe('the storage is closed')
    }
    const ids = (await shop.storage.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)
    for (const start of await Promise.allSettled(starts)) {
      if (start.status === 'fulfilled') expect(ids).toContain(start.value)
    }
  })
})
