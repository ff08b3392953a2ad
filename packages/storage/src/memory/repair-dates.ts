import { instant, secondOf } from '@tillkit/domain'
import type { DeliveryStore } from '../delivery-store.ts'
import type { EndpointStore } from '../endpoint-store.ts'
import type { PaymentStore } from '../payment-store.ts'
import { accountOf, type State } from './state.ts'

export function repairPayments(state: State): PaymentStore['repairDates'] {
  return async (merchantId, now, limit) => {
    const account = accountOf(state, merchantId)
    const date = secondOf(now ?? instant(new Date()))
    const ahead = account.payments.filter(payment => payment.date > date)
    const payments = ahead.slice(0, limit)
    const done = payments.length === ahead.length
    const upTo = done ? account.payments.length : (payments.at(-1)?.id ?? 0)
    const periods = account.periods.filter(({ cashUp, lastId }) => cashUp.date > date && lastId <= upTo)
    for (const payment of payments) payment.date = date
    for (const { cashUp } of periods) cashUp.date = date
    if (done && account.lastDate > date) account.lastDate = date
    return { payments: payments.length, cashUps: periods.length, done }
  }
}

export function repairDeliveries(state: State): DeliveryStore['repairDates'] {
  return async (merchantId, { firstId, lastId }, { now, soon, latest }) => {
    let changed = 0
    for (const delivery of state.accounts.get(merchantId)?.deliveries.values() ?? []) {
      const { paymentId, attempts, createdAt, lastAttemptAt, nextAttemptAt } = delivery
      if (paymentId < firstId || paymentId > lastId) continue
      const isWrittenAhead = createdAt > soon
      const isTriedAhead = lastAttemptAt !== null && lastAttemptAt > soon
      const longest = attempts === 0 || isWrittenAhead || isTriedAhead ? soon : latest
      const isDueTooLate = nextAttemptAt !== null && nextAttemptAt > longest
      if (isWrittenAhead) delivery.createdAt = now
      if (isTriedAhead) delivery.lastAttemptAt = now
      if (isDueTooLate) delivery.nextAttemptAt = now
      for (const attempt of delivery.history) if (attempt.at > soon) attempt.at = now
      if (isWrittenAhead || isTriedAhead || isDueTooLate) changed += 1
    }
    return changed
  }
}

export function repairEndpoint(state: State): EndpointStore['repairDates'] {
  return async (merchantId, { now, soon }) => {
    const account = state.accounts.get(merchantId)
    if (!account) return false
    const { failingSince, pausedAt } = account.health
    const isFailingAhead = failingSince !== null && failingSince > soon
    const isPausedAhead = pausedAt !== null && pausedAt > soon
    if (isFailingAhead) account.health.failingSince = now
    if (isPausedAhead) {
      account.health.pausedAt = null
      for (const delivery of account.deliveries.values()) {
        if (delivery.state === 'pending') delivery.nextAttemptAt ??= now
      }
    }
    return isFailingAhead || isPausedAhead
  }
}
