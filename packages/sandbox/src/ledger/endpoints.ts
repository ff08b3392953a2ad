import type { EndpointStore } from '@tillkit/storage'
import { type Bound, own } from './bound.ts'

/** The endpoint of one ledger's merchant. */
export function endpoints(bound: Bound): EndpointStore {
  const { storage, shown, stored } = bound
  const failing: EndpointStore['failing'] = async ({ after, limit }) => {
    const endpoint = await storage.endpoints.get(stored)
    if (!endpoint || limit < 1 || (after !== undefined && shown <= after)) return []
    const { failingSince, pausedAt } = endpoint
    return failingSince !== null ? [{ merchantId: shown, failingSince, pausedAt }] : []
  }

  return {
    get: async merchantId => (merchantId === shown ? storage.endpoints.get(stored) : null),
    pause: async (merchantId, failingSince, now) =>
      storage.endpoints.pause(own(bound, merchantId), failingSince, now),
    wake: async (merchantId, now) => storage.endpoints.wake(own(bound, merchantId), now),
    repairDates: async (merchantId, times) => storage.endpoints.repairDates(own(bound, merchantId), times),
    failing,
    async paused(range) {
      const [endpoint] = await failing(range)
      if (!endpoint || endpoint.pausedAt === null) return []
      return [{ ...endpoint, pausedAt: endpoint.pausedAt }]
    },
  }
}
