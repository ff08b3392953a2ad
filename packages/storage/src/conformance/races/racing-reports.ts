import type { PeriodReport } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { at, COMPLETED, dateAt, EVERYTHING, type Scene } from '../scene.ts'
import { times } from './race.ts'

const PAYMENTS = 40
const BOUNDS = [dateAt(0), dateAt(900), dateAt(1800)]

export function racingReports({ test, expect }: Checks): void {
  test('a report is of one moment, whatever starts, ends and is cashed up beside it', async scene => {
    const { storage, merchant, start, cashUp } = scene
    const { id } = await merchant()
    const references: string[] = []
    let over = false

    /** One thing after the other: at no moment more than one payment is pending, and it is the last. */
    async function pay(): Promise<void> {
      for (let n = 1; n <= PAYMENTS; n++) {
        const payment = await start(id, { totalAmount: n }, at(n * 30))
        if (n % 10 === 0) references.push(await cashUp(id, at(n * 30)))
        await storage.payments.resolve(payment, COMPLETED, at(n * 30))
      }
    }

    async function look(): Promise<void> {
      do {
        const report = await storage.reports.period(id, references.at(-1) ?? null)
        expect(isOfOneMoment(report)).toBe(true)
        expect(isOfOneMoment(await storage.reports.period(id, null))).toBe(true)
        const taken = (await storage.reports.takings(id, BOUNDS)) ?? []
        const count = taken.reduce((all, one) => all + one.count, 0)
        const total = taken.reduce((all, one) => all + one.totalAmount, 0n)
        expect({ count, total }).toEqual({ count, total: sumTo(count) })
        // A store that answers at once would otherwise have all turns, and none would be left for the timers of whoever pays.
        await new Promise(resolve => setTimeout(resolve))
      } while (!over)
    }

    const paid = pay().finally(() => {
      over = true
    })
    await Promise.all([paid, ...Array.from({ length: 3 }, look)])
    const reports = await Promise.all(references.map(one => storage.reports.period(id, one)))
    expect(reports.map(report => [report?.final, report?.firstPaymentId, report?.lastPaymentId])).toEqual(
      [1, 11, 21, 31].map(first => [true, first, first + 9]),
    )
  })

  test('after a race reports say what the payments are', async scene => {
    const { storage, merchant, start, cashUp } = scene
    const ids = [(await merchant()).id, (await merchant()).id]
    await times(60, async n => {
      const id = ids[n % 2] ?? ''
      if (n % 12 === 11) return void (await cashUp(id, at(n)))
      const fields = { totalAmount: n, tipAmount: n % 3 ? n : null, scanCode: `till-${n % 4}` }
      const payment = await start(id, fields, at(n * 60))
      if (n % 5 === 0) await storage.payments.resolve(payment, { status: 'error', failure: null }, at(n))
      else if (n % 7) await storage.payments.resolve(payment, COMPLETED, at(n))
      await storage.reports.period(id, null)
    })
    for (const id of ids) {
      const { items } = await storage.cashUps.list(id, EVERYTHING)
      const references = [...items.map(({ reference }) => reference), null]
      const reports = await Promise.all(references.map(one => storage.reports.period(id, one)))
      const payments = (await storage.payments.list(id, {}, EVERYTHING)).items
      for (const status of ['pending', 'completed', 'error'] as const) {
        const those = payments.filter(payment => payment.status === status)
        const total = those.reduce((all, { totalAmount }) => all + totalAmount, 0)
        expect({
          status,
          count: reports.reduce((all, report) => all + (report?.byStatus[status].count ?? 0), 0),
          total: reports.reduce((all, report) => all + Number(report?.byStatus[status].totalAmount), 0),
        }).toEqual({ status, count: those.length, total })
      }
      await recounted(scene, id)
    }
  })

  /** Expects what was taken to be what the completed payments say. */
  async function recounted({ storage }: Scene, id: string): Promise<void> {
    const filter = { status: ['completed' as const] }
    const { items } = await storage.payments.list(id, filter, EVERYTHING)
    const bounds = Array.from({ length: 8 }, (_, n) => dateAt((n - 1) * 900))
    const taken = await storage.reports.takings(id, bounds)
    expect(taken?.map(({ count }) => count)).toEqual(
      bounds.slice(1).map((to, n) => {
        const from = bounds[n] ?? ''
        return items.filter(({ date }) => from <= date && date < to).length
      }),
    )
  }
}

const sumTo = (last: number) => (BigInt(last) * BigInt(last + 1)) / 2n

/** Whether a report of payments that came one after the other, and are of as many cents as their id, may ever have been so. */
function isOfOneMoment(report: PeriodReport<bigint> | null): boolean {
  if (report === null) return false
  const { pending, completed } = report.byStatus
  const first = report.firstPaymentId ?? 0
  const last = report.lastPaymentId ?? first - 1
  if (pending.count + completed.count !== last - first + 1 || pending.count > 1) return false
  if (pending.count === 1 && pending.totalAmount !== BigInt(last)) return false
  if (report.reference !== null && report.final !== (pending.count === 0)) return false
  return pending.totalAmount + completed.totalAmount === sumTo(last) - sumTo(Math.max(first - 1, 0))
}
