import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { merchantId, NOW, openResults } from '../faults/shop.ts'

const LATER = '2026-11-21T09:30:00.000Z'

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  /** Sends a delivery again in a transaction of its own, which is committed once `work` is done. */
  const besideRedelivery = async <Result>(paymentId: number, work: () => Promise<Result>) => {
    const session = await openSession(shop.database.address)
    await session.run('begin')
    await session.run(`update ${session.table('deliveries')} set state = 'pending', attempts = 0,
      next_attempt_at = coalesce(last_attempt_at, created_at), fence = fence + 1
      where merchant_id = '${merchantId}' and payment_id = ${paymentId}`)
    const answer = await work().catch(error => error)
    await session.run('commit')
    await session.close()
    return answer
  }

  test('what is being sent again stays, keeps no purge waiting, and is delivered', async () => {
    const { storage } = shop
    for (const result of await openResults(storage, 3, LATER)) await storage.deliveries.record(result)
    expect(await besideRedelivery(2, () => storage.deliveries.purge(LATER, 10))).toBe(2)
    const due = await storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 10 })
    expect(due.map(({ paymentId }) => paymentId)).toEqual([2])
    expect(await storage.deliveries.attempts(merchantId, [1, 2, 3])).toHaveLength(1)
  })

  test('and keeps no other lease from being given back', async () => {
    const { storage } = shop
    const leases = await openResults(storage, 3, LATER)
    const due = async () =>
      (await storage.deliveries.claim({ now: NOW, leaseUntil: LATER, limit: 10 }))
        .map(({ paymentId }) => paymentId)
        .sort()
    const meanwhile = await besideRedelivery(2, async () => {
      await storage.deliveries.release(leases, NOW)
      return due()
    })
    expect(meanwhile).toEqual([1, 3])
    expect(await due()).toEqual([2])
  })
})
