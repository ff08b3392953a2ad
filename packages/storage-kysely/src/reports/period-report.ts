import type { PeriodReport } from '@tillkit/domain'
import type { ReportStore } from '@tillkit/storage'
import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import type { Keeper } from './keeper.ts'
import { blocksOf, isAsItWas, keptColumns } from './kept-block.ts'
import { momentOf } from './moment.ts'
import { paymentsOfRuns } from './payments-of-runs.ts'
import { type KeptTotals, PeriodSums } from './period-sums.ts'
import { uncovered } from './uncovered.ts'

export function periodReport(database: Database, keeper: Keeper): ReportStore['period'] {
  const { builder, read, dialect } = database
  const moments = momentOf(database)
  const paymentsOf = paymentsOfRuns(database)
  const blocks = (p: { merchantId: string }) =>
    builder
      .selectFrom('payment_sums')
      .select(keptColumns(dialect, 'totals'))
      .where('payment_sums.merchant_id', '=', p.merchantId)
      .where(isAsItWas(database))
  const ofOpen = prepare((p: { merchantId: string }) => {
    const before = builder
      .selectFrom('ledgers')
      .select('last_cash_up_payment_id')
      .where('ledgers.merchant_id', '=', p.merchantId)
    return blocks(p).where('payment_sums.first_id', '>', sql<number>`(${before})`)
  })
  const ofClosed = prepare((p: { merchantId: string; reference: string }) => {
    const end = (name: 'first_payment_id' | 'last_payment_id') =>
      sql<number>`(${builder
        .selectFrom('cash_ups')
        .select(name)
        .where('cash_ups.merchant_id', '=', p.merchantId)
        .where('cash_ups.reference', '=', p.reference)})`
    return blocks(p)
      .where('payment_sums.first_id', '>=', end('first_payment_id'))
      .where('payment_sums.first_id', '<=', end('last_payment_id'))
      .where('payment_sums.last_id', '<=', end('last_payment_id'))
  })

  return async (merchantId, reference): Promise<PeriodReport<bigint> | null> => {
    // Before the moment: what blocks say is an outcome was one by then.
    const rows = await read.all(
      reference === null ? ofOpen({ merchantId }) : ofClosed({ merchantId, reference }),
    )
    const moment =
      reference === null
        ? await moments.openPeriod(merchantId)
        : await moments.closedPeriod(merchantId, reference)
    if (moment === null) return null
    const { first, last, pending } = moment
    const isEmpty = last < first
    const dates = new Map<number, string>()
    const sums = new PeriodSums()
    const used = blocksOf<KeptTotals>(rows).filter(block => block.first >= first && block.last <= last)
    for (const block of used) {
      sums.addKept(block.kept)
      dates.set(block.first, block.from).set(block.last, block.to)
    }
    const runs = uncovered(moment, used).map(run => ({ ...run, merchantId }))
    for await (const payments of paymentsOf(runs, { now: reference !== null })) {
      for (const payment of payments) {
        const { id, date } = payment
        if (id === first || id === last) dates.set(id, date)
        sums.add(payment, pending.has(id) ? 'pending' : payment.status)
      }
      keeper.met(payments)
    }
    return {
      reference,
      // A node that has not heard of all that another has may not know of the last ones.
      final: reference !== null && sums.outcomes === last - first + 1,
      firstPaymentId: isEmpty ? null : first,
      lastPaymentId: isEmpty ? null : last,
      from: dates.get(first) ?? null,
      to: dates.get(last) ?? null,
      ...sums.broken(),
    }
  }
}
