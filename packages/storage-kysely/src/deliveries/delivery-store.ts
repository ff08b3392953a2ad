import type { DeliveryStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { listDeliveries } from './list-deliveries.ts'
import { recordDelivery } from './record-delivery.ts'
import { requeueDelivery } from './requeue-delivery.ts'

export function deliveryStore(database: Database): DeliveryStore {
  return {
    claim: claimDeliveries(database),
    record: recordDelivery(database),
    requeue: requeueDelivery(database),
    list: listDeliveries(database),
  }
}
