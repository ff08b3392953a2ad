import { KEPT_ATTEMPTS } from '@tillkit/domain'
import type { DeliveryStore } from '../../delivery-store.ts'
import { newestFirst } from '../newest-first.ts'
import { repairDeliveries } from '../repair-dates.ts'
import { leased, type State, shown } from '../state.ts'
import { claim } from './claim.ts'
import { wake } from './endpoints.ts'
import { requeue } from './requeue.ts'

export function deliveries(state: State): DeliveryStore {
  const all = () => [...state.accounts.values()].flatMap(account => [...account.deliveries.values()])

  return {
    claim: claim(state),
    ...requeue(state),
    repairDates: repairDeliveries(state),

    async record({ attempt, asked = true, ...result }) {
      const account = state.accounts.get(result.merchantId)
      const delivery = leased(state, result)
      if (!account || !delivery) return false
      delivery.state = result.state
      delivery.nextAttemptAt = result.nextAttemptAt
      delivery.attempts += 1
      delivery.fence += 1
      delivery.lastAttemptAt = attempt.at
      delivery.lastStatus = attempt.status
      delivery.lastError = attempt.error
      delivery.history = [...delivery.history, { ...attempt }].slice(-KEPT_ATTEMPTS)
      if (attempt.error !== null && asked) account.health.failingSince ??= attempt.at
      else if (attempt.error === null && account.health.failingSince !== null) wake(account, attempt.at)
      return true
    },

    async release(leases, at) {
      for (const lease of leases) {
        const delivery = leased(state, lease)
        if (!delivery) continue
        delivery.nextAttemptAt = at
        delivery.fence += 1
      }
    },

    async get({ merchantId, paymentId }) {
      const delivery = state.accounts.get(merchantId)?.deliveries.get(paymentId)
      return delivery === undefined ? null : shown(delivery)
    },

    async list(merchantId, wanted, slice) {
      const all = [...(state.accounts.get(merchantId)?.deliveries.values() ?? [])]
      return newestFirst(
        all
          .filter(({ state }) => wanted === undefined || state === wanted)
          .sort((a, b) => a.paymentId - b.paymentId),
        slice,
        shown,
      )
    },

    async attempts(merchantId, paymentIds) {
      const kept = state.accounts.get(merchantId)?.deliveries
      return [...new Set(paymentIds)].flatMap(paymentId =>
        (kept?.get(paymentId)?.history ?? []).map(attempt => ({ paymentId, ...attempt })),
      )
    },

    async counts(now) {
      const pending = all().filter(({ state }) => state === 'pending')
      const due = pending.flatMap(({ nextAttemptAt }) =>
        nextAttemptAt !== null && nextAttemptAt <= now ? [nextAttemptAt] : [],
      )
      return {
        pending: pending.length,
        due: due.length,
        oldestDueAt: due.sort()[0] ?? null,
        exhausted: all().filter(({ state }) => state === 'exhausted').length,
        pausedEndpoints: [...state.accounts.values()].filter(({ health }) => health.pausedAt !== null).length,
      }
    },

    async purge(before, limit) {
      const old = all()
        .filter(({ state, lastAttemptAt }) => state === 'delivered' && (lastAttemptAt ?? before) < before)
        .slice(0, limit)
      for (const { merchantId, paymentId } of old)
        state.accounts.get(merchantId)?.deliveries.delete(paymentId)
      return old.length
    },
  }
}
