import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from './shop.ts'

/** More than a pool has connections. */
const MANY = 15

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let owner: DatabaseStorage
  let storage: DatabaseStorage

  beforeEach(async () => {
    database = await create()
    owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await startedCompleted(owner, 2)
    storage = storageAt(database.address)
  })

  afterEach(async () => {
    await storage.close()
    await owner.close()
    await database.drop()
  })

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
    const ids = (await owner.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)
    for (const start of await Promise.allSettled(starts)) {
      if (start.status === 'fulfilled') expect(ids).toContain(start.value)
    }
  })
})
