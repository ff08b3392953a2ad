import { TillError } from '@tillkit/domain'
import type { CashUpStore } from '@tillkit/storage'
import { createTurns } from '../turns.ts'
import { type Bound, own } from './bound.ts'
import { knownPayment } from './payments.ts'

/** How many cash ups a ledger may have. */
export const MOST_CASH_UPS = 1000
const FIRST = { skip: 0, limit: 1 }

/** The cash ups of one ledger, with references of its seed. */
export function cashUps(bound: Bound): CashUpStore {
  const { storage, stored, seeded } = bound
  const inTurn = createTurns()
  const count = async () => (await storage.cashUps.list(stored, FIRST)).total

  return {
    create: async (merchantId, cashUp) =>
      inTurn(async () => {
        const id = own(bound, merchantId)
        for (;;) {
          const made = await count()
          if (made >= MOST_CASH_UPS)
            throw new TillError('conflict', `a sandbox has at most ${MOST_CASH_UPS} cash ups: reset it`)
          const reference = seeded.hex('cash up', made + 1).slice(0, 32)
          try {
            return await storage.cashUps.create(id, { ...cashUp, reference })
          } catch (error) {
            // Another process may have made it in between; its reference is taken.
            if ((await count()) === made) throw error
          }
        }
      }),
    list: async (merchantId, slice) => storage.cashUps.list(own(bound, merchantId), slice),
    async payments(merchantId, reference, slice) {
      const found = await storage.cashUps.payments(own(bound, merchantId), reference, slice)
      if (found === null || found === 'not_ready') return found
      return { ...found, items: found.items.map(payment => knownPayment(bound, payment)) }
    },
  }
}
