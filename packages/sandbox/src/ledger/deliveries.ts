import { TillError } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore, Lease } from '@tillkit/storage'
import { type Plan, planOf } from '../plan.ts'
import { type Bound, known, own } from './bound.ts'
import { knownPayment } from './payments.ts'

/** The deliveries of one ledger, and what their payments' plans want of them. */
export function deliveries(bound: Bound, decoyKey: () => Promise<string>): DeliveryStore {
  const { storage, stored } = bound
  const ofStorage = ({ merchantId, ...lease }: Lease): Lease => ({
    ...lease,
    merchantId: own(bound, merchantId),
  })
  /** How often each that is claimed is to go out after this attempt. */
  const more = new Map<number, number>()

  const asPlanned = async (delivery: ClaimedDelivery, plan: Plan | null): Promise<ClaimedDelivery> => {
    more.set(delivery.paymentId, (plan?.webhook.times ?? 1) - delivery.attempts - 1)
    if (delivery.payment === null) return known(bound, delivery)
    const payment = knownPayment(bound, delivery.payment)
    const claimed = { ...known(bound, delivery), payment, fault: undefined }
    if (plan?.webhook.sent === false) return { ...claimed, payment: null, fault: 'no webhook was asked for' }
    if (!plan?.webhook.corruptSignature || claimed.webhookKey === null) return claimed
    return { ...claimed, webhookKey: await decoyKey(), previousWebhookKey: null }
  }

  return {
    async claim(request) {
      const claimed = await storage.deliveries.claim({ ...request, onlyMerchant: stored })
      return Promise.all(
        claimed.map(delivery => asPlanned(delivery, delivery.payment && planOf(delivery.payment))),
      )
    },

    async record(result) {
      const { state, attempt, paymentId } = result
      const again = state === 'delivered' && (more.get(paymentId) ?? 0) > 0
      more.delete(paymentId)
      const standing = again ? { state: 'pending' as const, nextAttemptAt: attempt.at } : {}
      return storage.deliveries.record({ ...result, ...ofStorage(result), ...standing })
    },

    release: async (leases, at) => storage.deliveries.release(leases.map(ofStorage), at),
    requeue: async ({ merchantId, paymentId }, now) =>
      known(bound, await storage.deliveries.requeue({ merchantId: own(bound, merchantId), paymentId }, now)),
    requeueRange: async (merchantId, range, now) =>
      storage.deliveries.requeueRange(own(bound, merchantId), range, now),
    repairDates: async (merchantId, range, times) =>
      storage.deliveries.repairDates(own(bound, merchantId), range, times),
    async get({ merchantId, paymentId }) {
      const found = await storage.deliveries.get({ merchantId: own(bound, merchantId), paymentId })
      return found && known(bound, found)
    },
    async list(merchantId, state, slice) {
      const { items, total } = await storage.deliveries.list(own(bound, merchantId), state, slice)
      return { items: items.map(delivery => known(bound, delivery)), total }
    },
    attempts: async (merchantId, paymentIds) =>
      storage.deliveries.attempts(own(bound, merchantId), paymentIds),
    counts: overAll,
    purge: overAll,
  }
}

/** These are of whole storages, which have other ledgers too. */
async function overAll(): Promise<never> {
  throw new TillError('conflict', 'this is not for one test ledger alone')
}
