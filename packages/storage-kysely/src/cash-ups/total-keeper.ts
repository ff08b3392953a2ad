import { beside } from '../session/beside.ts'
import type { Database } from '../session/database.ts'
import { keepTotal, type Period } from './keep-total.ts'
import { lengthOf } from './settled-run.ts'

/**
 * Has the total of a period kept that was found complete, beside what goes on. Where nothing can be written it is counted each time.
 */
export function totalKeeper(database: Database): (period: Period) => void {
  const { ahead } = database.counting
  const kept = beside(keepTotal(database))

  return period => {
    if (ahead && lengthOf(period) > 0) kept.add(`${period.reference} ${period.merchantId}`, period)
  }
}
