import type { DeliveryStore } from '@tillkit/storage'
import { claimByMerchant } from '../../citus/deliveries/claim-deliveries.ts'
import type { Database } from '../../session/database.ts'
import { claimInOneStatement } from './claim-in-one-statement.ts'
import { claimInSteps } from './claim-in-steps.ts'

export function claimDeliveries(database: Database): DeliveryStore['claim'] {
  if (database.dialect.distributed) return claimByMerchant(database)
  return database.dialect.composes ? claimInOneStatement(database) : claimInSteps(database)
}
