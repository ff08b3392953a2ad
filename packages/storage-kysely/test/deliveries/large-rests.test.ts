import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Engine } from '../engines/engine.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { deliveredUnder, merchantId, openShop } from '../faults/shop.ts'
import { fillDue } from './due-in-bulk.ts'

const [SINCE, PAUSED, NOW, LATER] = [
  '2026-11-10T00:00:00.000Z',
  '2026-11-15T00:00:00.000Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-25T00:00:00.000Z',
]
const lease = { now: LATER, leaseUntil: '2026-11-25T00:01:00.000Z', limit: 1 }

/** A shop whose endpoint is paused, and more deliveries at rest than are made due at once. */
async function resting(engine: Engine, fails = true) {
  const { db, database, storage, queries } = await openHeardHost(engine)
  await openShop(storage)
  const count = await fillDue(db, database, merchantId, SINCE, 7)
  await sql`update tillkit_deliveries set next_attempt_at = null`.execute(db)
  const { time } = database.dialect
  if (fails)
    await sql`insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
      values (${merchantId}, ${time(SINCE)}, ${time(PAUSED)})`.execute(db)

  const health = () => storage.endpoints.get(merchantId)
  const succeed = async () => {
    const [claimed] = await storage.deliveries.claim(lease)
    if (!claimed) throw new Error('nothing was due')
    const result = deliveredUnder(claimed)
    expect(await storage.deliveries.record({ ...result, attempt: { ...result.attempt, at: NOW } })).toBe(true)
  }
  /** How many rest. */
  const rest = async () => {
    const { pending, due } = await storage.deliveries.counts(LATER)
    return pending - due
  }
  const succeedUntilNoneRests = async () => {
    for (let left = await rest(); left > 0; ) {
      expect(await health()).toMatchObject({ failingSince: expect.any(String), pausedAt: null })
      await succeed()
      const now = await rest()
      expect(now).toBeLessThan(left)
      left = now
    }
    if ((await health())?.failingSince !== null) await succeed()
    expect([await rest(), await health()]).toMatchObject([0, { failingSince: null, pausedAt: null }])
  }
  return { db, database, storage, queries, count, health, succeed, rest, succeedUntilNoneRests }
}

overEveryEngine(engine => {
  test('a success makes part of a large rest due, and those that follow the others', async () => {
    const { storage, count, health, succeed, rest, succeedUntilNoneRests } = await resting(engine)
    await storage.deliveries.requeue({ merchantId, paymentId: 1 }, NOW)
    await succeed()
    const left = await rest()
    expect([left > 0, left < count - 1]).toEqual([true, true])
    // Everybody's results wait for those that are written at the moment.
    expect(count - 1 - left).toBeLessThanOrEqual(500)
    expect(await health()).toMatchObject({ failingSince: NOW, pausedAt: null })
    // It has failed for no longer than since that success.
    expect(await storage.endpoints.pause(merchantId, PAUSED, LATER)).toBe(false)
    await succeedUntilNoneRests()
  })

  test('it is none the less woken whole after it was paused once more', async () => {
    const { storage, count, rest, succeedUntilNoneRests } = await resting(engine)
    await storage.endpoints.wake(merchantId, NOW)
    expect(await storage.endpoints.pause(merchantId, NOW, LATER)).toBe(true)
    while ((await storage.deliveries.counts(LATER)).due > 0)
      expect(await storage.deliveries.claim({ ...lease, limit: 500 })).toEqual([])
    expect(await rest()).toBe(count)
    await storage.endpoints.wake(merchantId, NOW)
    await succeedUntilNoneRests()
  })

  test('without a URL all of it is due, to be given up', async () => {
    const { storage, rest, health, queries, count } = await resting(engine)
    queries.length = 0
    await storage.merchants.update(merchantId, { webhookUrl: null }, NOW)
    const updates = queries.filter(query => /^update \S*tillkit_deliveries/i.test(query.sql))
    expect([await rest(), await health()]).toMatchObject([0, { failingSince: null, pausedAt: null }])
    // A transaction of all that rests could take longer than a write may.
    expect(updates.length).toBe(Math.ceil((count + 1) / 5000))
  })

  test.each(['a wake', 'another URL', 'a repair of its dates', 'another URL, and no row that says it fails'])(
    '%s makes part of a large rest due, and successes the others',
    async how => {
      const { storage, count, rest, succeedUntilNoneRests } = await resting(engine, !/no row/.test(how))
      const { merchants, endpoints } = storage
      if (how === 'a wake') await endpoints.wake(merchantId, NOW)
      else if (how === 'a repair of its dates')
        expect(await endpoints.repairDates(merchantId, { now: NOW, soon: SINCE })).toBe(true)
      else await merchants.update(merchantId, { webhookUrl: 'https://shop.example/new' }, NOW)
      const left = await rest()
      expect([left > 0, left < count]).toEqual([true, true])
      await succeedUntilNoneRests()
    },
  )
})

overEveryServer(engine => {
  test('endpoints that are woken together share what is made due at once', async () => {
    const { db, database, storage, count, rest, succeedUntilNoneRests } = await resting(engine)
    const others = await fillDue(db, database, 'other', SINCE, 0)
    await sql`update tillkit_deliveries set next_attempt_at = null where merchant_id = 'other'`.execute(db)
    const at = database.dialect.time(SINCE)
    await sql`insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
      values ('other', ${at}, ${at})`.execute(db)
    await openShop(storage, 'other')
    for (const id of [merchantId, 'other'])
      await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, NOW)
    const claimed = await storage.deliveries.claim({ ...lease, limit: 2 })
    const results = claimed.map(deliveredUnder)
    expect(await Promise.all(results.map(result => storage.deliveries.record(result)))).toEqual([true, true])
    const together = count - 1 - (await rest())
    expect((await storage.endpoints.get('other'))?.failingSince).toBeNull()
    await storage.endpoints.wake(merchantId, NOW)
    const alone = count - 1 - together - (await rest())
    expect([together > others, together < alone]).toEqual([true, true])
    await succeedUntilNoneRests()
  })
})
