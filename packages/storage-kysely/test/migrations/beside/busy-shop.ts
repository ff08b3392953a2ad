import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { DatabaseStorage } from '../../../src/index.ts'
import { type Address, storageAt } from '../../engines/address.ts'
import { ALL, attempt, merchantId, NOW } from '../../faults/shop.ts'
import { firstVersionAt } from '../versions/first-version.ts'

/** Processes of a shop that go on until they are told to stop: what they were told, and how often they were answered. */
export interface BusyShop {
  /** Processes of this version come besides. */
  thisVersion(): void
  /** Resolves when every process has been answered `times` more. */
  answered(times: number): Promise<void>
  /** Stops, and counts again what they were told. Rejects with what any of them met. */
  close(): Promise<void>
}

/** A lane is what one caller does over and over. */
type Lane = () => Promise<unknown>

/** Opens a shop of the first version in a database that was migrated as far as that. */
export async function busyShop(address: Address): Promise<BusyShop> {
  const olds = await Promise.all([1, 2, 3].map(() => firstVersionAt(address)))
  const [writer, worker, reader] = olds as [(typeof olds)[0], (typeof olds)[0], (typeof olds)[0]]
  const storage = storageAt(address)
  const started: number[] = []
  const completed: number[] = []
  const delivered: number[] = []
  const counts: number[] = []
  const lanes: Promise<void>[] = []
  let over = false

  const go = (lane: Lane) => {
    const n = counts.push(0) - 1
    const going = (async () => {
      while (!over) {
        await lane()
        counts[n] = (counts[n] ?? 0) + 1
      }
    })()
    // What it meets is told when the shop is closed.
    going.catch(() => {
      over = true
    })
    lanes.push(going)
  }

  go(async () => {
    const id = await writer.start()
    started.push(id)
    if (id % 4 === 0) return
    await writer.complete(id)
    completed.push(id)
  })
  go(async () => delivered.push(...(await worker.deliver())))
  go(() => reader.page('completed'))

  return {
    thisVersion() {
      go(async () => {
        const { payment } = await storage.payments.start(attempt(), NOW)
        started.push(payment.id)
        if (payment.id % 4 === 0) return
        await storage.payments.resolve(payment, { status: 'completed' }, NOW)
        completed.push(payment.id)
      })
      go(async () => delivered.push(...(await deliver(storage))))
      go(() => storage.payments.list(merchantId, { status: ['completed'] }, { skip: 0, limit: 50 }))
      go(() => storage.payments.list(merchantId, {}, { skip: 0, limit: 50 }))
      go(() => storage.payments.pendingSince({ date: '2027-01-01T00:00:00Z', limit: 10 }))
      go(() => storage.deliveries.counts(NOW))
      go(() => storage.reports.period(merchantId, null))
      go(() => cashUp(storage))
    },

    async answered(times) {
      const before = [...counts]
      while (!over && counts.some((count, n) => count < (before[n] ?? 0) + times)) {
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      if (over) await Promise.all(lanes)
    },

    async close() {
      over = true
      await Promise.all(lanes)
      for (const old of olds) await old.close()
      while (delivered.length < completed.length) delivered.push(...(await deliver(storage)))
      const inOrder = (ids: number[]) => ids.toSorted((a, b) => a - b)
      const { items, total } = await storage.payments.list(merchantId, {}, { ...ALL, limit: 1_000_000 })
      expect(inOrder(items.map(({ id }) => id))).toEqual(inOrder(started))
      expect(total).toBe(started.length)
      expect(Math.max(...started)).toBe(started.length)
      const paid = items.filter(({ status }) => status === 'completed').map(({ id }) => id)
      expect(inOrder(paid)).toEqual(inOrder(completed))
      expect(inOrder(delivered)).toEqual(inOrder(completed))
      const asked = await storage.payments.list(merchantId, { status: ['completed'] }, { skip: 0, limit: 1 })
      expect(asked.total).toBe(completed.length)
      await cashUp(storage)
      const cashUps = await storage.cashUps.list(merchantId, { ...ALL, limit: 1_000_000 })
      const reports = await Promise.all(
        cashUps.items.map(({ reference }) => storage.reports.period(merchantId, reference)),
      )
      const counted = reports.map(report => report?.byStatus.completed.count ?? 0)
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(completed.length)
      await storage.close()
    },
  }
}

function cashUp({ cashUps }: DatabaseStorage) {
  return cashUps.create(merchantId, {
    reference: randomUUID().replaceAll('-', ''),
    idempotencyKey: null,
    now: NOW,
  })
}

async function deliver({ deliveries }: DatabaseStorage): Promise<number[]> {
  const claimed = await deliveries.claim({
    now: '2027-01-01T00:00:00.000Z',
    leaseUntil: '2028-01-01T00:00:00.000Z',
    limit: 3,
  })
  for (const held of claimed) {
    const came = { at: NOW, status: 200, milliseconds: 1, error: null, answer: null }
    const result = { ...held, state: 'delivered', nextAttemptAt: null, attempt: came } as const
    expect(await deliveries.record(result)).toBe(true)
  }
  return claimed.map(({ paymentId }) => paymentId)
}
