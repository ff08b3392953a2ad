import { TillError } from '@tillkit/domain'
import type { SettlementStore } from '@tillkit/storage'
import { type Bound, own } from './bound.ts'
import { knownPayment } from './payments.ts'

const refused = async () => {
  throw new TillError('conflict', 'a test ledger has no statements: they are of all merchants')
}

/** What is settled in one ledger; statements, which are of all merchants, it has none. */
export function settlements(bound: Bound): SettlementStore {
  const { storage } = bound
  return {
    begin: refused,
    finish: refused,
    async find(merchantId, names, since) {
      const found = await storage.settlements.find(own(bound, merchantId), names, since)
      return found.map(payments => payments.map(payment => knownPayment(bound, payment)))
    },
    async settle(merchantId, statementReference, payments) {
      const settled = await storage.settlements.settle(own(bound, merchantId), statementReference, payments)
      return { ...settled, others: settled.others.map(payment => knownPayment(bound, payment)) }
    },
    async unsettled(merchantId, firstId, lastId) {
      const found = await storage.settlements.unsettled(own(bound, merchantId), firstId, lastId)
      return found.map(payment => knownPayment(bound, payment))
    },
    list: async () => ({ items: [], total: 0 }),
    get: async () => null,
  }
}
