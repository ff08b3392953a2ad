import type { Sums, WireDate } from '@tillkit/domain'
import type { Database } from '../../session/database.ts'
import type { Keeper } from '../keeper.ts'
import { paymentsOfRuns } from '../payments-of-runs.ts'
import type { Run } from '../runs-query.ts'
import { runsOf } from './span.ts'
import { spansOfAll } from './spans-of-all.ts'
import { StepSums } from './step-sums.ts'

/** What was taken of all merchants, each payment as it is when it is read. */
export function takenOfAll(
  database: Database,
  keeper: Keeper,
): (bounds: readonly WireDate[]) => Promise<Sums<bigint>[]> {
  const findSpans = spansOfAll(database)
  const findRuns = runsOf(database)
  const paymentsOf = paymentsOfRuns(database)

  return async bounds => {
    const ends = { from: bounds[0] ?? '', to: bounds.at(-1) ?? '' }
    const sums = new StepSums(bounds)
    const runs: Run[] = []
    for (const span of await findSpans(ends)) {
      for (const block of span.blocks) sums.addKept(block.kept)
      for (const run of await findRuns(span, ends)) runs.push({ ...run, merchantId: span.merchantId })
    }
    for await (const payments of paymentsOf(runs)) {
      for (const payment of payments) if (payment.status === 'completed') sums.add(payment)
      keeper.met(payments)
    }
    return sums.sums()
  }
}
