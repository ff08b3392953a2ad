import type { EndpointHealth, FailingEndpoint, Instant } from '@tillkit/domain'
import type { EndpointStore } from '../../endpoint-store.ts'
import { repairEndpoint } from '../repair-dates.ts'
import type { Account, State } from '../state.ts'

const IN_ORDER: EndpointHealth = { failingSince: null, pausedAt: null }

/** An attempt that began before the URL was taken away may have failed after. */
const isPosted = ({ merchant }: Account) => merchant.webhookUrl !== null

export function endpoints(state: State): EndpointStore {
  const failing = (after: string | undefined): FailingEndpoint[] =>
    [...state.accounts.values()]
      .filter(isPosted)
      .map(({ merchant, health }) => ({ merchantId: merchant.id, ...health }))
      .filter(({ merchantId }) => after === undefined || merchantId > after)
      .flatMap(({ failingSince, ...endpoint }) =>
        failingSince !== null ? [{ ...endpoint, failingSince }] : [],
      )
      .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))

  return {
    async get(merchantId) {
      const account = state.accounts.get(merchantId)
      if (!account) return null
      const { merchant, webhookKey, previousWebhookKey: previous } = account
      const health = isPosted(account) ? account.health : IN_ORDER
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

    failing: async ({ after, limit }) => failing(after).slice(0, limit),

    async paused({ after, limit }) {
      return failing(after)
        .flatMap(({ pausedAt, ...endpoint }) => (pausedAt !== null ? [{ ...endpoint, pausedAt }] : []))
        .slice(0, limit)
    },
  }
}

/** Puts the endpoint in order and makes due what rested. */
export function wake(account: Account, now: Instant): void {
  account.health = { ...IN_ORDER }
  for (const delivery of account.deliveries.values()) {
    if (delivery.state === 'pending') delivery.nextAttemptAt ??= now
  }
}
