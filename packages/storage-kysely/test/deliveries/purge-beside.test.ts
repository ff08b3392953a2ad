import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer, overPostgres } from '../engines/index.ts'
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

overPostgres(({ create }) => {
  const shop = inAShop(create)

  test('what a trigger keeps is not counted as purged, and keeps nothing behind it', async () => {
    const { storage, database } = shop
    for (const [n, result] of (await openResults(storage, 4, LATER)).entries()) {
      const attempt = { ...result.attempt, at: `2026-11-20T10:0${n}:00.000Z` }
      await storage.deliveries.record({ ...result, attempt })
    }
    const session = await openSession(database.address)
    await session.run(`create function ${session.table('keep')}() returns trigger language plpgsql as
      'begin return case when old.payment_id > 2 then old end; end'`)
    await session.run(`create trigger keep before delete on ${session.table('deliveries')}
      for each row execute function ${session.table('keep')}()`)
    await session.close()
    const purged: number[] = []
    for (let n = 0; n < 4; n++) purged.push(await storage.deliveries.purge(LATER, 2))
    expect(purged).toEqual([1, 1, 0, 0])
  })
})
