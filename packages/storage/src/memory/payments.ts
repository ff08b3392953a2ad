import {
  assertSettles,
  assertTakesPayments,
  EXACT_FILTERS,
  guardedReference,
  instant,
  later,
  type NewPayment,
  type Payment,
  type PaymentFilter,
  secondOf,
  strictRefusal,
  TillError,
} from '@tillkit/domain'
import type { PaymentStore, PendingPosition } from '../payment-store.ts'
import { lease } from './deliveries/claim.ts'
import { newestFirst } from './newest-first.ts'
import { repairPayments } from './repair-dates.ts'
import { markSettled } from './settlements.ts'
import { type Account, accountOf, addDelivery, copyPayment, type KeptDelivery, type State } from './state.ts'

export function payments(state: State): PaymentStore {
  return {
    async start({ attemptKey, ...recorded }, given, traceparent) {
      const now = given ?? instant(new Date())
      const account = accountOf(state, recorded.merchantId)
      const first = attemptKey === null ? undefined : account.attempts.get(attemptKey)
      if (first) return { payment: copyPayment(first), created: false }
      assertTakesPayments({
        merchantId: recorded.merchantId,
        merchant: account.merchant.suspendedAt !== null,
        code: recorded.scanCode,
        scanCode: (state.scanCodes.get(recorded.scanCode)?.suspendedAt ?? null) !== null,
      })

      const failure = strictRefusal({ attemptKey, ...recorded }, isReferenceTaken(account, recorded))
      account.lastDate = later(account.lastDate, secondOf(now))
      const payment: Payment = {
        ...recorded,
        id: account.payments.length + 1,
        status: failure === null ? 'pending' : 'error',
        date: account.lastDate,
        statementReference: null,
        failure,
        extra: { ...recorded.extra },
      }
      account.payments.push(payment)
      if (attemptKey !== null) account.attempts.set(attemptKey, payment)
      if (failure !== null) announce(account, payment, now, traceparent)
      return { payment: copyPayment(payment), created: true }
    },

    async resolve({ merchantId, id }, outcome, given, traceparent, leaseUntil) {
      const account = state.accounts.get(merchantId)
      const payment = account?.payments[id - 1]
      if (!account || !payment) return null
      if (payment.status !== 'pending') return { payment: copyPayment(payment), changed: false }

      payment.status = outcome.status
      payment.failure = outcome.status === 'error' ? outcome.failure : null
      const delivery = announce(account, payment, given ?? instant(new Date()), traceparent)
      const isLeased = delivery && leaseUntil && account.health.pausedAt === null
      const claimed = isLeased ? lease(account, delivery, leaseUntil) : undefined
      return { payment: copyPayment(payment), changed: true, claimed }
    },

    async settle(merchantId, statementReference, ids) {
      const account = state.accounts.get(merchantId)
      const settled = ids
        .toSorted((a, b) => a - b)
        .map(id => {
          const payment = account?.payments[id - 1]
          if (!payment) throw new TillError('not_found', `merchant ${merchantId} has no payment ${id}`)
          assertSettles(payment, statementReference)
          return payment
        })
      for (const payment of settled) markSettled(account, payment, statementReference, 0)
    },

    repairDates: repairPayments(state),

    async get({ merchantId, id }) {
      const payment = state.accounts.get(merchantId)?.payments[id - 1]
      return payment ? copyPayment(payment) : null
    },

    async findAttempt(merchantId, attemptKey) {
      const payment = state.accounts.get(merchantId)?.attempts.get(attemptKey)
      return payment ? copyPayment(payment) : null
    },

    async list(merchantId, filter, slice) {
      const all = state.accounts.get(merchantId)?.payments ?? []
      return newestFirst(
        all.filter(payment => passes(payment, filter)),
        slice,
        copyPayment,
      )
    },

    async idRange(merchantId, dates) {
      const all = state.accounts.get(merchantId)?.payments
      if (!all) return null
      const isBefore = (date: string | undefined) => (payment: Payment) =>
        date !== undefined && payment.date < date
      const first = all.filter(isBefore(dates.startDate)).length + 1
      const last = dates.endDate === undefined ? all.length : all.filter(isBefore(dates.endDate)).length
      return { first, last }
    },

    async walk(merchantId, filter, { first, last }, limit) {
      const all = state.accounts.get(merchantId)?.payments ?? []
      return all
        .slice(Math.max(first, 1) - 1, Math.max(last, 0))
        .filter(payment => passes(payment, filter))
        .slice(0, limit)
        .map(copyPayment)
    },

    async pendingSince({ date, after, limit }) {
      return [...state.accounts.values()]
        .flatMap(account => account.payments)
        .filter(payment => payment.status === 'pending' && payment.date <= date)
        .filter(payment => after === undefined || comparePositions(payment, after) > 0)
        .sort(comparePositions)
        .slice(0, limit)
        .map(payment => {
          const { merchantId, id, date } = payment
          return { merchantId, id, date, payment: copyPayment(payment) }
        })
    },
  }
}

/** By date, merchant id and id. A merchant id is ASCII, whose order is that of its code units. */
function comparePositions(a: PendingPosition, b: PendingPosition): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  if (a.merchantId !== b.merchantId) return a.merchantId < b.merchantId ? -1 : 1
  return a.id - b.id
}

function isReferenceTaken(
  account: Account,
  payment: Pick<NewPayment, 'strict' | 'merchantReference'>,
): boolean {
  const reference = guardedReference(payment)
  return (
    reference !== null &&
    account.payments.some(other => other.merchantReference === reference && other.status !== 'error')
  )
}

function announce(
  account: Account,
  payment: Payment,
  now: string,
  traceparent?: string | null,
): KeptDelivery | null {
  return account.merchant.webhookUrl === null ? null : addDelivery(account, payment.id, now, traceparent)
}

function passes(payment: Payment, filter: PaymentFilter): boolean {
  if (filter.startDate !== undefined && payment.date < filter.startDate) return false
  if (filter.endDate !== undefined && payment.date >= filter.endDate) return false
  if (filter.status !== undefined && !filter.status.includes(payment.status)) return false
  return EXACT_FILTERS.every(name => filter[name] === undefined || payment[name] === filter[name])
}
