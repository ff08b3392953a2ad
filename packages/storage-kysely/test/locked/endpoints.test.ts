import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession, type Session } from '../faults/session.ts'
import { attempt, NOW } from '../faults/shop.ts'

const LEASE_END = '2026-11-20T09:31:00.000Z'

overEveryServer(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let session: Session

  beforeAll(async () => {
    database = await create()
    storage = storageAt(database.address)
    await storage.migrate()
    session = await openSession(database.address)
  })

  afterAll(async () => {
    await session.close()
    await storage.close()
    await database.drop()
  })

  const shop = async (id: string, payments: number) => {
    const features = { tips: false, userReferences: false, deviceLists: false }
    const webhookUrl = `https://${id}.example/hook`
    await storage.merchants.create({ id, name: id, webhookUrl, features, createdAt: NOW })
    for (let n = 0; n < payments; n++) {
      const { payment } = await storage.payments.start({ ...attempt(), merchantId: id }, NOW)
      await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    }
  }

  test('a paused endpoint that another holds keeps nobody else waiting, and nothing of it is lost', async () => {
    await shop('paused', 5)
    const held = await storage.deliveries.claim({ now: NOW, leaseUntil: LEASE_END, limit: 1 })
    const [first] = held
    if (!first) throw new Error('nothing was due')
    await storage.deliveries.record({
      ...first,
      ...{ state: 'pending', nextAttemptAt: NOW },
      attempt: { at: NOW, status: 500, milliseconds: 1, error: 'answered 500', answer: null },
    })
    expect(await storage.endpoints.pause('paused', NOW, NOW)).toBe(true)
    await shop('neighbour', 3)

    await session.run('begin')
    await session.run(
      `select * from ${session.table('failing_endpoints')} where merchant_id = 'paused' for update`,
    )
    const claimed = await storage.deliveries.claim({ now: NOW, leaseUntil: LEASE_END, limit: 3 })
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(['neighbour', 'neighbour', 'neighbour'])
    await session.run('rollback')

    // They stayed due, and are put to rest now.
    expect((await storage.deliveries.counts(NOW)).due).toBe(5)
    expect(await storage.deliveries.claim({ now: NOW, leaseUntil: LEASE_END, limit: 100 })).toEqual([])
    expect((await storage.deliveries.counts(NOW)).due).toBe(0)
    await storage.endpoints.wake('paused', NOW)
    const awake = await storage.deliveries.claim({ now: NOW, leaseUntil: LEASE_END, limit: 100 })
    expect(awake.map(({ merchantId }) => merchantId)).toEqual(Array(5).fill('paused'))
  })
})
