import type { Payment } from '@tillkit/domain'
import type { Database } from '../session/database.ts'
import { seesThePast } from '../session/statements/current-read.ts'
import { paymentsIn, type Run, type RunRow, runNowQuery, runsQuery } from './runs-query.ts'

/** How many payments one statement asks for at most: they are added up in milliseconds, and then others have their turn. */
const PAYMENTS = 4096

/** How many runs one statement asks for at most. On Citus each may be at another node. */
const RUNS = 16

/**
 * All payments of some runs, a few thousand at a time. In a host's transaction that sees the past they are read as they are by now
 * where `now` says so, and where the transaction itself has taken the merchant's lock since: no id of a run is missing then.
 */
export function paymentsOfRuns(
  database: Database,
): (runs: Iterable<Run>, how?: { now: boolean }) => AsyncGenerator<Payment[], void, undefined> {
  const { read, dialect } = database
  const most = dialect.distributed ? 1 : RUNS
  const query = runsQuery(database)
  const queryNow = runNowQuery(database)
  const past = seesThePast(database)

  async function allNow(batch: readonly Run[]): Promise<RunRow[]> {
    const rows: RunRow[] = []
    for (const run of batch) rows.push(...(await read.all(queryNow(run))))
    return rows
  }

  return async function* payments(runs, { now } = { now: false }) {
    for (const batch of batchesOf(runs, most)) {
      const rows = now && past ? [] : await read.all(query(batch))
      yield paymentsIn(past && rows.length < idsOf(batch) ? await allNow(batch) : rows)
    }
  }
}

const idsOf = (runs: readonly Run[]) => runs.reduce((ids, { first, last }) => ids + last - first + 1, 0)

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
