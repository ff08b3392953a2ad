import { instant, later, secondOf } from '@tillkit/domain'
import type { CashUpStore } from '../cash-up-store.ts'
import { newestFirst } from './newest-first.ts'
import { accountOf, copyPayment, type State } from './state.ts'

export function cashUps(state: State): CashUpStore {
  return {
    async create(merchantId, { reference, idempotencyKey, now }) {
      const account = accountOf(state, merchantId)
      const made =
        idempotencyKey !== null && account.periods.find(period => period.idempotencyKey === idempotencyKey)
      if (made) return { ...made.cashUp }

      account.lastDate = later(account.lastDate, secondOf(now ?? instant(new Date())))
      const cashUp = { date: account.lastDate, reference }
      const firstId = (account.periods.at(-1)?.lastId ?? 0) + 1
      account.periods.push({ cashUp, idempotencyKey, firstId, lastId: account.payments.length })
      return { ...cashUp }
    },

    async list(merchantId, slice) {
      const periods = state.accounts.get(merchantId)?.periods ?? []
      return newestFirst(periods, slice, ({ cashUp }) => ({ ...cashUp }))
    },

    async payments(merchantId, reference, slice) {
      const account = state.accounts.get(merchantId)
      const period = account?.periods.find(({ cashUp }) => cashUp.reference === reference)
      if (!account || !period) return null

      const started = account.payments.slice(period.firstId - 1, period.lastId)
      if (started.some(payment => payment.status === 'pending')) return 'not_ready'
      return newestFirst(
        started.filter(payment => payment.status === 'completed'),
        slice,
        copyPayment,
      )
    },
  }
}
