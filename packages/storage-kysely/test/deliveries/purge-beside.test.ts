import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { merchantId, openResults } from '../faults/shop.ts'

const LATER = '2026-11-21T09:30:00.000Z'

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  test('what is being sent again stays, keeps no purge waiting, and is delivered', async () => {
    const { storage, database } = shop
    for (const result of await openResults(storage, 3, LATER)) await storage.deliveries.record(result)
    const session = await openSession(database.address)
    await session.run('begin')
    await session.run(`update ${session.table('deliveries')} set state = 'pending', attempts = 0,
      next_attempt_at = last_attempt_at, fence = fence + 1 where merchant_id = '${merchantId}' and payment_id = 2`)
    const purged = await storage.deliveries.purge(LATER, 10).catch(error => error)
    await session.run('commit')
    await session.close()
    expect(purged).toBe(2)
    const due = await storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 10 })
    expect(due.map(({ paymentId }) => paymentId)).toEqual([2])
    expect(await storage.deliveries.attempts(merchantId, [1, 2, 3])).toHaveLength(1)
  })
})
