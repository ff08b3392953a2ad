import type { Instant } from '@tillkit/domain'
import type { EndpointStore } from '../endpoint-store.ts'
import { repairEndpoint } from './repair-dates.ts'
import type { Account, State } from './state.ts'

export function endpoints(state: State): EndpointStore {
  return {
    async get(merchantId) {
      const account = state.accounts.get(merchantId)
      if (!account) return null
      const { merchant, webhookKey, previousWebhookKey: previous, health } = account
      const previousWebhookKey = previous && { ...previous }
      return { webhookUrl: merchant.webhookUrl, webhookKey, previousWebhookKey, ...health }
    },

    async pause(merchantId, failingSince, now) {
      const health = state.accounts.get(merchantId)?.health
      if (!health?.failingSince || health.pausedAt !== null) return false
      if (health.failingSince > failingSince) return false
      health.pausedAt = now
      return true
    },

    async wake(merchantId, now) {
      const account = state.accounts.get(merchantId)
      if (account) wake(account, now)
    },

    repairDates: repairEndpoint(state),

    async paused({ after, limit }) {
      return [...state.accounts.values()]
        .map(({ merchant, health }) => ({ merchantId: merchant.id, ...health }))
        .filter(({ merchantId }) => after === undefined || merchantId > after)
        .flatMap(({ merchantId, failingSince, pausedAt }) =>
          failingSince !== null && pausedAt !== null ? [{ merchantId, failingSince, pausedAt }] : [],
        )
        .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))
        .slice(0, limit)
    },
  }
}

/** Puts the endpoint in order and makes due what rested. */
export function wake(account: Account, now: Instant): void {
  account.health = { failingSince: null, pausedAt: null }
  for (const delivery of account.deliveries.values()) {
    if (delivery.state === 'pending') delivery.nextAttemptAt ??= now
  }
}
