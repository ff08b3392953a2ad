import type { DeliveryStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { repairDeliveries } from '../time/repair-deliveries.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { countDeliveries } from './count-deliveries.ts'
import { listAttempts } from './list-attempts.ts'
import { listDeliveries } from './list-deliveries.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { recordDelivery } from './record-delivery.ts'
import { releaseDeliveries } from './release-deliveries.ts'
import { requeueDelivery } from './requeue-delivery.ts'
import { requeueRange } from './requeue-range.ts'

export function deliveryStore(database: Database): DeliveryStore {
  return {
    claim: claimDeliveries(database),
    record: recordDelivery(database),
    release: releaseDeliveries(database),
    requeue: requeueDelivery(database),
    requeueRange: requeueRange(database),
    list: listDeliveries(database),
    attempts: listAttempts(database),
    counts: countDeliveries(database),
    purge: purgeDeliveries(database),
    repairDates: repairDeliveries(database),
  }
}
