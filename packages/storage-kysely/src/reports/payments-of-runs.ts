import type { Payment } from '@tillkit/domain'
import type { Database } from '../session/database.ts'
import { paymentsIn, type Run, runsQuery } from './runs-query.ts'

/** How many payments one statement asks for at most: they are added up in milliseconds, and then others have their turn. */
const PAYMENTS = 4096

/** How many runs one statement asks for at most. On Citus each may be at another node. */
const RUNS = 16

/** All payments of some runs, a few thousand at a time. */
export function paymentsOfRuns(
  database: Database,
): (runs: Iterable<Run>) => AsyncGenerator<Payment[], void, undefined> {
  const { read, dialect } = database
  const most = dialect.distributed ? 1 : RUNS
  const query = runsQuery(database)

  return async function* payments(runs) {
    for (const batch of batchesOf(runs, most)) yield paymentsIn(await read.all(query(batch)))
  }
}

/** Runs cut so that each batch has so many payments at most, and `most` runs. */
function* batchesOf(runs: Iterable<Run>, most: number): Generator<Run[]> {
  let batch: Run[] = []
  let left = PAYMENTS
  for (const { merchantId, first, last } of runs) {
    for (let next = first; next <= last; ) {
      const end = Math.min(last, next + left - 1)
      batch.push({ merchantId, first: next, last: end })
      left -= end - next + 1
      next = end + 1
      if (left > 0 && batch.length < most) continue
      yield batch
      batch = []
      left = PAYMENTS
    }
  }
  if (batch.length > 0) yield batch
}
