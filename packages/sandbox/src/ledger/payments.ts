import { AsyncLocalStorage } from 'node:async_hooks'
import { after, assertTakesPayments, instant, type Payment } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { codePrefix, LONGEST_CODE } from '../names.ts'
import { type Plan, planOf, withoutPlan, withPlan } from '../plan.ts'
import { type Bound, known, own } from './bound.ts'
import { pendingOf } from './pending.ts'

/** The plan of the payment that is being started. */
export const planned = new AsyncLocalStorage<Plan>()

/** A payment as it is known outside: without its plan, and with the confirmation code of the seed. */
export function knownPayment(bound: Bound, payment: Payment): Payment {
  return {
    ...known(bound, payment),
    authCode: payment.authCode === null ? null : bound.seeded.sixDigits('authCode', payment.id),
    extra: withoutPlan(payment.extra),
  }
}

/** The payments of one ledger, and no others. */
export function payments(bound: Bound): PaymentStore {
  const { storage, name } = bound
  const shown = (payment: Payment) => knownPayment(bound, payment)
  const shownOrNull = (payment: Payment | null) => payment && shown(payment)

  return {
    async start({ merchantId, extra, ...payment }, now) {
      const { scanCode: code } = payment
      const found =
        code.length <= LONGEST_CODE ? await storage.scanCodes.find(`${codePrefix(name)}${code}`) : null
      const suspended = (found?.scanCode.suspendedAt ?? null) !== null
      assertTakesPayments({ merchantId, merchant: false, code, scanCode: suspended })
      const kept = {
        ...payment,
        merchantId: own(bound, merchantId),
        extra: withPlan(extra, planned.getStore()),
      }
      const started = await storage.payments.start(kept, now)
      return { ...started, payment: shown(started.payment) }
    },

    async resolve({ merchantId, id }, outcome, now) {
      const key = { merchantId: own(bound, merchantId), id }
      const payment = await storage.payments.get(key)
      const delay = (payment && planOf(payment)?.webhook.delaySeconds) ?? 0
      // Of the outcome nothing but its webhook is dated by this.
      const due = now === null ? null : instant(after(new Date(now), delay))
      const resolved = await storage.payments.resolve(key, outcome, due)
      return resolved && { ...resolved, payment: shown(resolved.payment) }
    },

    settle: async (merchantId, reference, ids) =>
      storage.payments.settle(own(bound, merchantId), reference, ids),
    repairDates: async (merchantId, now, limit) =>
      storage.payments.repairDates(own(bound, merchantId), now, limit),
    get: async ({ merchantId, id }) =>
      shownOrNull(await storage.payments.get({ merchantId: own(bound, merchantId), id })),
    findAttempt: async (merchantId, key) =>
      shownOrNull(await storage.payments.findAttempt(own(bound, merchantId), key)),

    async list(merchantId, filter, slice) {
      const { items, total } = await storage.payments.list(own(bound, merchantId), filter, slice)
      return { items: items.map(shown), total }
    },

    idRange: async (merchantId, dates) => storage.payments.idRange(own(bound, merchantId), dates),

    async walk(merchantId, filter, range, limit) {
      const found = await storage.payments.walk(own(bound, merchantId), filter, range, limit)
      return found.map(shown)
    },

    async pendingSince({ date, after, limit }) {
      const all = (await pendingOf(bound)).map(shown)
      const isAfter = (payment: Payment) =>
        after === undefined ||
        payment.date > after.date ||
        (payment.date === after.date && payment.id > after.id)
      return all
        .filter(payment => payment.date <= date && isAfter(payment))
        .slice(0, limit)
        .map(payment => ({ merchantId: payment.merchantId, id: payment.id, date: payment.date, payment }))
    },
  }
}
