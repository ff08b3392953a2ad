import type { Delivery } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '../delivery-store.ts'
import { newestFirst } from './newest-first.ts'
import { type Account, accountOf, addDelivery, copyPayment, type KeptDelivery, type State } from './state.ts'

export function deliveries(state: State): DeliveryStore {
  return {
    async claim({ now, leaseUntil, limit }) {
      const due = [...state.accounts.values()]
        .flatMap(account => [...account.deliveries.values()])
        .filter(
          ({ state, nextAttemptAt }) => state === 'pending' && nextAttemptAt !== null && nextAttemptAt <= now,
        )
        .sort(byNextAttempt)
        .slice(0, limit)
      for (const delivery of due) {
        delivery.nextAttemptAt = leaseUntil
        delivery.fence += 1
      }
      return due.map(delivery => claimed(accountOf(state, delivery.merchantId), delivery))
    },

    async record({ merchantId, paymentId, fence, ...written }) {
      const delivery = state.accounts.get(merchantId)?.deliveries.get(paymentId)
      if (delivery?.state !== 'pending' || delivery.fence !== fence) return false
      delivery.attempts += 1
      delivery.state = written.state
      delivery.nextAttemptAt = written.nextAttemptAt
      delivery.lastAttemptAt = written.lastAttemptAt
      delivery.lastStatus = written.lastStatus
      delivery.lastError = written.lastError
      return true
    },

    async requeue({ merchantId, paymentId }, now) {
      const account = accountOf(state, merchantId)
      const delivery = account.deliveries.get(paymentId) ?? addDelivery(account, paymentId, now)
      delivery.state = 'pending'
      delivery.attempts = 0
      delivery.nextAttemptAt = now
      delivery.fence += 1
      return shown(delivery)
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
  }
}

function byNextAttempt(a: KeptDelivery, b: KeptDelivery): number {
  const [first, second] = [a.nextAttemptAt ?? '', b.nextAttemptAt ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

function claimed(account: Account, delivery: KeptDelivery): ClaimedDelivery {
  const payment = account.payments[delivery.paymentId - 1]
  if (!payment) throw new Error(`delivery ${delivery.merchantId}/${delivery.paymentId} has no payment`)
  return {
    merchantId: delivery.merchantId,
    paymentId: delivery.paymentId,
    attempts: delivery.attempts,
    fence: delivery.fence,
    payment: copyPayment(payment),
    webhookUrl: account.merchant.webhookUrl,
    webhookKey: account.webhookKey,
  }
}

function shown({ fence: _, ...delivery }: KeptDelivery): Delivery {
  return delivery
}
