import type { ReportStore } from '@tillkit/storage'
import { takenByMerchant } from '../citus/payments/taken-by-merchant.ts'
import type { Database } from '../session/database.ts'
import { keeperOf } from './keeper.ts'
import { periodReport } from './period-report.ts'
import { takenOfAll } from './takings/taken-of-all.ts'
import { takenOfOne } from './takings/taken-of-one.ts'

export function reportStore(database: Database): ReportStore {
  const keeper = keeperOf(database)
  const ofOne = takenOfOne(database, keeper)
  const ofAll = database.dialect.distributed ? takenByMerchant(database, ofOne) : takenOfAll(database, keeper)
  return {
    period: periodReport(database, keeper),
    takings: (merchantId, bounds) => (merchantId === null ? ofAll(bounds) : ofOne(merchantId, bounds)),
  }
}
