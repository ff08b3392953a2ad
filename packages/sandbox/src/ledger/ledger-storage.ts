import { TillError } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { type Bound, own } from './bound.ts'
import { cashUps } from './cash-ups.ts'
import { deliveries } from './deliveries.ts'
import { endpoints } from './endpoints.ts'
import { merchants } from './merchants.ts'
import { payments } from './payments.ts'
import { scanCodes } from './scan-codes.ts'
import { settlements } from './settlements.ts'

/**
 * A storage in which there is one ledger and nothing else, whatever else is kept in the storage behind it: every call is of
 * that ledger's merchant or is refused, and what comes back is of that merchant or is an error.
 */
export function ledgerStorage(bound: Bound, decoyKey: () => Promise<string>): Storage {
  return {
    merchants: merchants(bound),
    apiKeys: {
      add: async () => {
        throw new TillError(
          'conflict',
          'a test ledger has no keys of its own: issue them with sandbox.apiKeys',
        )
      },
      findMerchant: async () => null,
      list: async () => [],
      revoke: async () => false,
    },
    scanCodes: scanCodes(bound),
    payments: payments(bound),
    cashUps: cashUps(bound),
    reports: {
      period: async (merchantId, reference) =>
        bound.storage.reports.period(own(bound, merchantId), reference),
      takings: async (merchantId, bounds) =>
        bound.storage.reports.takings(merchantId === null ? bound.stored : own(bound, merchantId), bounds),
    },
    settlements: settlements(bound),
    deliveries: deliveries(bound, decoyKey),
    endpoints: endpoints(bound),
  }
}
