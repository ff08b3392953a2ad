import type { DeliveryStore } from '@tillkit/storage'
import { purgeByMerchant } from '../citus/deliveries/purge-deliveries.ts'
import { releaseByMerchant } from '../citus/deliveries/release-deliveries.ts'
import type { Database } from '../session/database.ts'
import { repairDeliveries } from '../time/repair-deliveries.ts'
import { claimDeliveries } from './claiming/claim-deliveries.ts'
import { releaseDeliveries } from './claiming/release-deliveries.ts'
import { countDeliveries } from './count-deliveries.ts'
import { getDelivery } from './get-delivery.ts'
import { listAttempts } from './list-attempts.ts'
import { listDeliveries } from './list-deliveries.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { recordDelivery } from './recording/record-delivery.ts'
import { requeueDelivery } from './requeue-delivery.ts'
import { requeueRange } from './requeue-range.ts'

export function deliveryStore(database: Database): DeliveryStore {
  const { distributed } = database.dialect
  return {
    claim: claimDeliveries(database),
    record: recordDelivery(database),
    release: distributed ? releaseByMerchant(database) : releaseDeliveries(database),
    requeue: requeueDelivery(database),
    requeueRange: requeueRange(database),
    get: getDelivery(database),
    list: listDeliveries(database),
    attempts: listAttempts(database),
    counts: countDeliveries(database),
    purge: distributed ? purgeByMerchant(database) : purgeDeliveries(database),
    repairDates: repairDeliveries(database),
  }
}
