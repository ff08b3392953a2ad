import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepareArrays } from '../session/statements/prepared.ts'
import { failedOf, lastOfSettled, lengthOf, pendingOf, type Run } from './settled-run.ts'

/** How many payments of a closed period completed; null while one is pending. */
export function countCashUpPayments(database: Database): (period: Run) => Promise<number | null> {
  const { read, ofHost, counting } = database
  // At a replica nothing is undone.
  const committed = (counting.ahead && read.committed) || read
  const findPending = prepareArrays<Run, [id: Whole]>(p => pendingOf(database, p))
  const findPendingNow = prepareArrays<Run, [id: Whole]>(p => currentRead(database, pendingOf(database, p)))
  const countFailedNow = prepareArrays<Run, [failed: Whole]>(p =>
    currentRead(database, failedOf(database, p)),
  )
  const countFailed = prepareArrays<Run, [failed: Whole]>(p =>
    lastOfSettled(database, p).select(failedOf(database, p).as('failed')),
  )

  /** In a transaction of the host's, which is at one node. */
  async function completedNow(period: Run): Promise<number | null> {
    if (await read.first(findPendingNow(period))) return null
    const [failed = 0] = (await read.first(countFailedNow(period))) ?? []
    return lengthOf(period) - Number(failed)
  }

  return async period => {
    if (lengthOf(period) === 0) return 0
    if (ofHost) return completedNow(period)
    // For itself: whoever waits for a period asks often, and a count may be long.
    if (await read.first(findPending(period))) return null
    const settled = await committed.first(countFailed(period))
    return settled ? lengthOf(period) - Number(settled[0]) : null
  }
}
