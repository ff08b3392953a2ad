import { type Instant, instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '../../delivery-store.ts'
import { type Account, accountOf, copyPayment, type KeptDelivery, type State } from '../state.ts'

export function claim(state: State): DeliveryStore['claim'] {
  return async ({ now: given, leaseUntil, limit, exceptMerchants = [], onlyMerchant }) => {
    const now = given ?? instant(new Date())
    const isDue = ({ state, nextAttemptAt }: KeptDelivery) =>
      state === 'pending' && nextAttemptAt !== null && nextAttemptAt <= now
    const accounts = [...state.accounts.values()].filter(
      ({ merchant }) =>
        !exceptMerchants.includes(merchant.id) &&
        (onlyMerchant === undefined || merchant.id === onlyMerchant),
    )
    for (const { deliveries } of accounts.filter(({ health }) => health.pausedAt !== null)) {
      for (const delivery of [...deliveries.values()].filter(isDue)) {
        delivery.nextAttemptAt = null
        delivery.fence += 1
      }
    }
    const due = accounts
      .flatMap(account => [...account.deliveries.values()])
      .filter(isDue)
      .sort(byNextAttempt)
      .slice(0, limit)
    return due.map(delivery => lease(accountOf(state, delivery.merchantId), delivery, leaseUntil))
  }
}

function byNextAttempt(a: KeptDelivery, b: KeptDelivery): number {
  const [first, second] = [a.nextAttemptAt ?? '', b.nextAttemptAt ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

/** Makes a delivery the caller's own, and hands it over. */
export function lease(account: Account, delivery: KeptDelivery, leaseUntil: Instant): ClaimedDelivery {
  delivery.nextAttemptAt = leaseUntil
  delivery.fence += 1
  const payment = account.payments[delivery.paymentId - 1]
  return {
    merchantId: delivery.merchantId,
    paymentId: delivery.paymentId,
    attempts: delivery.attempts,
    fence: delivery.fence,
    ...(payment ? { payment: copyPayment(payment) } : { payment: null, fault: 'payment is gone' }),
    webhookUrl: account.merchant.webhookUrl,
    webhookKey: account.webhookKey,
    previousWebhookKey: account.previousWebhookKey && { ...account.previousWebhookKey },
    failingSince: account.health.failingSince,
    traceparent: delivery.traceparent,
  }
}
