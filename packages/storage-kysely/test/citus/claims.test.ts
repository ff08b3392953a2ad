import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { claimsHistories } from '../deliveries/claims-histories.ts'
import { fillDue } from '../deliveries/due-in-bulk.ts'
import { changedAddress } from '../engines/address.ts'
import { createOnCitus } from '../engines/citus.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overCitus } from '../engines/over-citus.ts'
import { openSession } from '../faults/session.ts'
import { attempt, merchantId, NOW, openResults, openShop } from '../faults/shop.ts'

const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']

/** With sessions in whose statements the tables need no schema. */
async function create() {
  const { address, schema, drop } = await createOnCitus()
  const inSchema = changedAddress(address, ({ searchParams }) =>
    searchParams.set('options', `${searchParams.get('options')} -c search_path="${schema}"`),
  )
  return { address: inSchema, drop }
}

overCitus(() => {
  claimsHistories(create)

  test('what is due for merchants who are left out is walked once in a while, and not by every claim', async () => {
    const { db, database, deliveries } = await openHeardHost({ create })
    await fillDue(db, database, 'crowd', '2026-11-20T00:00:00.000Z', 2)
    const request = { now, leaseUntil, limit: 8, exceptMerchants: ['crowd'] }
    const begun = performance.now()
    const time = vi.spyOn(performance, 'now').mockReturnValue(begun)
    onTestFinished(() => time.mockRestore())
    for (let n = 0; n < 3; n++) expect(await deliveries.claim(request)).toEqual([])
    // As what a transaction brings that took long to commit.
    await fillDue(db, database, 'shop', '2026-11-19T00:00:00.000Z', 0)
    expect(await deliveries.claim(request)).toEqual([])
    time.mockReturnValue(begun + 11_000)
    const held = await deliveries.claim(request)
    expect(held.map(({ merchantId }) => merchantId)).toEqual(Array(8).fill('shop'))
  })

  test('what another has locked is passed by, and however much is looked at then, no more is leased than was asked for', async () => {
    const { storage, address, drop } = await createOnCitus()
    const shops = ['shop-0', 'shop-1', 'shop-2', 'shop-3']
    for (const merchantId of shops) {
      await openShop(storage, merchantId)
      for (let n = 0; n < 4; n++) {
        const { payment } = await storage.payments.start(attempt({ merchantId }), NOW)
        await storage.payments.resolve(payment, { status: 'completed' }, NOW)
      }
    }
    const other = await openSession(address)
    await other.run('begin')
    await other.run(
      `select from ${other.table('deliveries')} where merchant_id = 'shop-0' and payment_id = 1 for update`,
    )
    const leased: string[] = []
    for (let n = 0; n < 3; n++) {
      const claimed = await storage.deliveries.claim({ now, leaseUntil, limit: 5 })
      expect(claimed).toHaveLength(5)
      leased.push(...claimed.map(({ merchantId, paymentId }) => `${merchantId} ${paymentId}`))
    }
    const all = shops.flatMap(shop => [1, 2, 3, 4].map(id => `${shop} ${id}`))
    expect(leased.sort()).toEqual(all.slice(1))
    await other.close()
    await drop()
  })

  test('what another has locked keeps no other lease from being given back', async () => {
    const { storage, address, drop } = await createOnCitus()
    await openShop(storage)
    const leases = await openResults(storage, 3, leaseUntil)
    const other = await openSession(address)
    await other.run('begin')
    await other.run(
      `select from ${other.table('deliveries')} where merchant_id = '${merchantId}' and payment_id = 2 for update`,
    )
    await storage.deliveries.release(leases, NOW)
    const due = await storage.deliveries.claim({ now: NOW, leaseUntil, limit: 10 })
    expect(due.map(({ paymentId }) => paymentId).sort()).toEqual([1, 3])
    await other.close()
    await drop()
  })

  test('of results that are recorded together, one whose delivery another has locked waits for it', async () => {
    const { storage, address, drop } = await createOnCitus()
    await openShop(storage)
    const results = await openResults(storage, 10, leaseUntil)
    const other = await openSession(address)
    await other.run('begin')
    await other.run(
      `select from ${other.table('deliveries')} where merchant_id = '${merchantId}' and payment_id = 5 for update`,
    )
    let written = 0
    const recorded = results.map(async result => {
      const isWritten = await storage.deliveries.record(result)
      written += 1
      return isWritten
    })
    await vi.waitFor(() => expect(written).toBe(9), { timeout: 20_000 })
    await other.run('commit')
    expect(await Promise.all(recorded)).toEqual(results.map(() => true))
    await other.close()
    await drop()
  })

  test('what is sent again while it is to be purged stays', async () => {
    const { storage, address, drop } = await createOnCitus()
    await openShop(storage)
    for (const result of await openResults(storage, 2, leaseUntil)) await storage.deliveries.record(result)
    const other = await openSession(address)
    await other.run('begin')
    await other.run(`update ${other.table('deliveries')} set state = 'pending', next_attempt_at = '${now}'
      where merchant_id = '${merchantId}' and payment_id = 1`)
    const purging = storage.deliveries.purge(now, 10)
    await sleep(1000)
    await other.run('commit')
    expect(await purging).toBe(1)
    const { items } = await storage.deliveries.list(merchantId, undefined, { skip: 0, limit: 10 })
    expect(items.map(({ paymentId, state }) => [paymentId, state])).toEqual([[1, 'pending']])
    await other.close()
    await drop()
  })

  test('leases of one merchant that are given back together are all due again, whatever their fences', async () => {
    const { storage, drop } = await createOnCitus()
    await openShop(storage)
    for (let n = 0; n < 2; n++) {
      const { payment } = await storage.payments.start(attempt(), NOW)
      await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    }
    for (const limit of [1, 2]) {
      const claimed = await storage.deliveries.claim({ now, leaseUntil, limit })
      await storage.deliveries.release(claimed, now)
    }
    expect(await storage.deliveries.claim({ now, leaseUntil, limit: 2 })).toHaveLength(2)
    await drop()
  })
})
