import type { DeliveryStore } from '@tillkit/storage'
import { recordByMerchant } from '../../citus/record-deliveries.ts'
import type { Database } from '../../session/database.ts'
import { recordInOneStatement } from './record-in-one-statement.ts'
import { recordInSteps } from './record-in-steps.ts'
import { recordTogether } from './record-together.ts'

export function recordDelivery(database: Database): DeliveryStore['record'] {
  if (database.dialect.distributed) return recordByMerchant(database)
  if (database.dialect.composes) return recordInOneStatement(database)
  return database.groups ? recordTogether(database) : recordInSteps(database)
}
