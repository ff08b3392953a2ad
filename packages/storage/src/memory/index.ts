import type { Storage } from '../storage.ts'
import { apiKeys } from './api-keys.ts'
import { cashUps } from './cash-ups.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { endpoints } from './deliveries/endpoints.ts'
import { inspect } from './inspect.ts'
import { merchants } from './merchants.ts'
import { payments } from './payments.ts'
import { reports } from './reports.ts'
import { scanCodes } from './scan-codes.ts'
import { settlements } from './settlements.ts'
import { emptyState } from './state.ts'

/**
 * A store that forgets: everything is kept in this process's memory. For tests, demonstrations, and as the model that
 * other stores are checked against. Each method does all its work in one synchronous run, which makes it atomic.
 */
export function memoryStorage(): Storage {
  const state = emptyState()
  return {
    merchants: merchants(state),
    apiKeys: apiKeys(state),
    scanCodes: scanCodes(state),
    payments: payments(state),
    cashUps: cashUps(state),
    reports: reports(state),
    settlements: settlements(state),
    deliveries: deliveries(state),
    endpoints: endpoints(state),
    time: async () => new Date(),
    inspect: inspect(state),
  }
}
