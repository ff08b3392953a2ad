import type { Instant } from '@tillkit/domain'
import type { DeliveryStore } from '../../delivery-store.ts'
import { type Account, accountOf, addDelivery, type KeptDelivery, type State, shown } from '../state.ts'

export function requeue(state: State): Pick<DeliveryStore, 'requeue' | 'requeueRange'> {
  return {
    async requeue({ merchantId, paymentId }, now) {
      const account = accountOf(state, merchantId)
      const delivery = account.deliveries.get(paymentId) ?? addAgain(account, paymentId, now)
      startOver(account, delivery, now)
      return shown(delivery)
    },

    async requeueRange(merchantId, { firstId, lastId, since, state: wanted }, now) {
      const account = state.accounts.get(merchantId)
      const again = [...(account?.deliveries.values() ?? [])].filter(
        ({ paymentId, createdAt, state }) =>
          paymentId >= firstId &&
          paymentId <= lastId &&
          createdAt >= since &&
          (wanted === undefined || state === wanted),
      )
      for (const delivery of again) if (account) startOver(account, delivery, now)
      return again.length
    },
  }
}

function startOver(account: Account, delivery: KeptDelivery, now: Instant): void {
  account.health.pausedAt = null
  delivery.state = 'pending'
  delivery.attempts = 0
  delivery.nextAttemptAt = now
  delivery.fence += 1
}

/** There may have been one that was purged: its leases are void too, since none of them had so high a number. */
function addAgain(account: Account, paymentId: number, now: Instant): KeptDelivery {
  const delivery = addDelivery(account, paymentId, now)
  delivery.fence = Math.floor(Date.parse(now) / 1000)
  return delivery
}
