import type { Sums, WireDate } from '@tillkit/domain'
import { idRange } from '../../payments/listing/id-range.ts'
import type { Database } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import type { Keeper } from '../keeper.ts'
import { blocksOf, isAsItWas, keptColumns } from '../kept-block.ts'
import { momentOf } from '../moment.ts'
import { paymentsOfRuns } from '../payments-of-runs.ts'
import { uncovered } from '../uncovered.ts'
import { type KeptTakings, StepSums } from './step-sums.ts'

/** What was taken of one merchant, as it is at one moment; null for an unknown one. */
export function takenOfOne(
  database: Database,
  keeper: Keeper,
): (merchantId: string, bounds: readonly WireDate[]) => Promise<Sums<bigint>[] | null> {
  const { builder, read, dialect, counting } = database
  const findRange = idRange(database)
  const moments = momentOf(database)
  const paymentsOf = paymentsOfRuns(database)
  const findBlocks = prepare((p: { merchantId: string; after: number; last: number }) =>
    builder
      .selectFrom('payment_sums')
      .select(keptColumns(dialect, 'takings'))
      .where('payment_sums.merchant_id', '=', p.merchantId)
      .where('payment_sums.first_id', '>', p.after)
      .where('payment_sums.first_id', '<=', p.last)
      .where(isAsItWas(database)),
  )

  return async (merchantId, bounds) => {
    const dates = { startDate: bounds[0], endDate: bounds.at(-1) }
    const before = await findRange(merchantId, dates)
    if (before === null) return null
    // Before the moment: what blocks say is an outcome was one by then.
    const after = before.first - counting.blockSize
    const rows = await read.all(findBlocks({ merchantId, after, last: before.last }))
    const moment = await moments.paymentsFrom(merchantId, before.first)
    if (moment === null) return null
    // What has been started in between may be among them.
    const grown = moment.last > before.last ? await findRange(merchantId, dates) : null
    const range = { first: before.first, last: Math.min(moment.last, grown?.last ?? before.last) }

    const sums = new StepSums(bounds)
    const blocks = blocksOf<KeptTakings>(rows).filter(block => block.first <= moment.last)
    for (const block of blocks) sums.addKept(block.kept)
    const runs = uncovered(range, blocks).map(run => ({ ...run, merchantId }))
    for await (const payments of paymentsOf(runs)) {
      for (const payment of payments) {
        if (payment.status === 'completed' && !moment.pending.has(payment.id)) sums.add(payment)
      }
      keeper.met(payments)
    }
    return sums.sums()
  }
}
