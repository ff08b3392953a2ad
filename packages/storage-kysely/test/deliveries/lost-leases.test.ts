import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { createOnCitus } from '../engines/citus.ts'
import { overEveryEngine } from '../engines/index.ts'
import { overCitus } from '../engines/over-citus.ts'
import { attempt, deliveredUnder, NOW, openShop } from '../faults/shop.ts'

const LEASE_UNTIL = '2026-11-20T09:31:00.000Z'
const COUNT = 12

/** The deliveries of so many outcomes at once, each under a lease of the caller's, by payment. */
async function leasesIn({ payments, deliveries }: DatabaseStorage, count: number, handOver: boolean) {
  const started = await Promise.all(Array.from({ length: count }, () => payments.start(attempt(), NOW)))
  const resolved = await Promise.all(
    started.map(({ payment }) =>
      payments.resolve(payment, { status: 'completed' }, NOW, null, handOver ? LEASE_UNTIL : null),
    ),
  )
  const handed = resolved.flatMap(one => one?.claimed ?? [])
  const claimed = await deliveries.claim({ now: NOW, leaseUntil: LEASE_UNTIL, limit: count })
  return [...handed, ...claimed].toSorted((a, b) => a.paymentId - b.paymentId)
}

/** `open` is asked for the database before the failover, and for the one that knows nothing of what is done in that. */
function leasesOfWhatIsLost(open: () => Promise<DatabaseStorage>): void {
  test.each([
    [1, true],
    [COUNT, true],
    [1, false],
    [COUNT, false],
  ])('of %i at once, handed over: %s', async (count, handOver) => {
    const [lost, kept] = [await open(), await open()]
    const late = (await leasesIn(lost, count, handOver)).map(deliveredUnder)
    const own = (await leasesIn(kept, count, handOver)).map(deliveredUnder)
    expect(late.map(({ paymentId }) => paymentId)).toEqual(own.map(({ paymentId }) => paymentId))
    expect(own).toHaveLength(count)
    for (const result of late) expect(await kept.deliveries.record(result)).toBe(false)
    for (const result of own) expect(await kept.deliveries.record(result)).toBe(true)
  })
}

overEveryEngine(({ create }) => {
  leasesOfWhatIsLost(async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    onTestFinished(async () => {
      await storage.close()
      await drop()
    })
    await storage.migrate()
    await openShop(storage)
    return storage
  })
})

overCitus(() => {
  leasesOfWhatIsLost(async () => {
    const { storage, drop } = await createOnCitus()
    onTestFinished(drop)
    await openShop(storage)
    return storage
  })
})
