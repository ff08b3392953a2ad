import type { Outcome, PeriodReport } from '@tillkit/domain'
import { expect, test, vi } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { keepingStorage } from '../counts/keeping-storage.ts'
import { blocksKept, countOf, expectTrueSums } from '../counts/recount-sums.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'

const LANES = 4
const PAYMENTS = 24

overEveryServer(({ create }) => {
  test('a report is one that was so between question and answer, while payments, cash ups and keepers race', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    const hosts = [hostDatabaseAt(address), hostDatabaseAt(address)] as const
    const [paying, keeping] = [
      keepingStorage(hosts[0], address.dialect, 4),
      keepingStorage(hosts[1], address.dialect, 3),
    ]
    const tally = { asked: 0, answered: 0 }
    const references: string[] = []

    async function resolve(id: number): Promise<void> {
      const outcome: Outcome = id % 3 === 0 ? { status: 'error', failure: null } : { status: 'completed' }
      if (outcome.status === 'completed') tally.asked += 1
      await paying.storage.payments.resolve({ merchantId, id }, outcome, NOW)
      if (outcome.status === 'completed') tally.answered += 1
    }

    /** Starts payments, leaves some of them for later, and one for ever. */
    async function pay(lane: number): Promise<void> {
      const { storage } = lane % 2 === 0 ? paying : keeping
      const left: number[] = []
      for (let n = 0; n < PAYMENTS; n++) {
        const { payment } = await storage.payments.start(attempt({ scanCode: `till-${lane}` }), NOW)
        if (n % 5 === lane) left.push(payment.id)
        else await resolve(payment.id)
        if (left.length > 3) await resolve(left.shift() as number)
      }
      for (const id of left.slice(1)) await resolve(id)
    }

    let over = false
    const bounds = ['2026-11-20T09:30:00Z', '2026-11-20T09:45:00Z']
    const looking = async ({ storage, keep }: typeof paying, n: number) => {
      let block = n
      do {
        const { answered } = tally
        const report = await storage.reports.period(merchantId, null)
        expect(whole(report)).toBe(true)
        const [taken] = (await storage.reports.takings(merchantId, bounds)) ?? []
        expect(taken?.count).toBeGreaterThanOrEqual(answered)
        expect(taken?.count).toBeLessThanOrEqual(tally.asked)
        const last = report?.lastPaymentId ?? 0
        block = (block + 1) % Math.max(1, Math.ceil(last / 3))
        await keep(merchantId, block)
      } while (!over)
    }
    const cashing = async () => {
      while (!over) {
        const reference = `${references.length}`.padStart(32, '0')
        await paying.storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
        references.push(reference)
        await vi.waitFor(() => expect(over || tally.answered > references.length * 8).toBe(true), 60_000)
      }
    }
    const paid = Promise.all(Array.from({ length: LANES }, (_, lane) => pay(lane))).finally(() => {
      over = true
    })
    try {
      await Promise.all([paid, cashing(), ...[paying, keeping, paying].map(looking)])
      for (const { keepAll } of [paying, keeping]) await keepAll(merchantId)
      expect((await expectTrueSums(hosts[0], merchantId)).length).toBeGreaterThan(10)
      for (const { storage } of [paying, keeping]) {
        const reports = []
        for (const one of [...references, null]) reports.push(await storage.reports.period(merchantId, one))
        for (const status of ['pending', 'completed', 'error'] as const) {
          const count = reports.reduce((all, report) => all + (report?.byStatus[status].count ?? 0), 0)
          expect({ status, count }).toEqual({ status, count: await countOf(hosts[0], merchantId, status) })
        }
      }
    } finally {
      await Promise.all(hosts.map(host => host.destroy()))
      await drop()
    }
  })
})

overEveryEngine(({ create }) => {
  test('blocks that had to be read are kept beside, and say the same the next time', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    const db = hostDatabaseAt(address)
    try {
      await fillPayments(db, address.dialect, merchantId, 3000)
      const { reports } = kyselyStorage(db, address.dialect, PATIENT)
      const first = await reports.period(merchantId, null)
      await vi.waitFor(async () => expect((await blocksKept(db, merchantId)).length).toBe(3), {
        timeout: 120_000,
        interval: 200,
      })
      expect(await reports.period(merchantId, null)).toEqual(first)
      await expectTrueSums(db, merchantId)
    } finally {
      await db.destroy()
      await drop()
    }
  })
})

/** Whether every payment of the period's run is counted once. */
function whole(report: PeriodReport<bigint> | null): boolean {
  if (report === null) return false
  const { pending, completed, error } = report.byStatus
  const length = report.firstPaymentId === null ? 0 : (report.lastPaymentId ?? 0) - report.firstPaymentId + 1
  const byCode = report.byScanCode.reduce((all, { count }) => all + count, 0)
  return pending.count + completed.count + error.count === length && byCode === completed.count
}
