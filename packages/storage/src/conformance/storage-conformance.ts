import { apiKeys } from './api-keys.ts'
import { attempts } from './attempts.ts'
import { capability } from './capability.ts'
import { cashUps } from './cash-ups.ts'
import { claims } from './claims.ts'
import { deliveries } from './deliveries.ts'
import { endpoints } from './endpoints.ts'
import { housekeeping } from './housekeeping.ts'
import { importedStatements } from './imported-statements.ts'
import { inspections } from './inspections.ts'
import { leasedOutcomes } from './leased-outcomes.ts'
import { manyMerchants } from './many-merchants.ts'
import { merchants } from './merchants.ts'
import { namedPayments } from './named-payments.ts'
import { outcomes } from './outcomes.ts'
import { paymentFilters } from './payment-filters.ts'
import { paymentLists } from './payment-lists.ts'
import { paymentWalks } from './payment-walks.ts'
import { paymentsStart } from './payments-start.ts'
import { pendingPayments } from './pending-payments.ts'
import { racingAccounts } from './racing-accounts.ts'
import { racingCashUps } from './racing-cash-ups.ts'
import { racingDeliveries } from './racing-deliveries.ts'
import { racingPayments } from './racing-payments.ts'
import { racingReports } from './racing-reports.ts'
import { racingSettlements } from './racing-settlements.ts'
import { racingSuspensions } from './racing-suspensions.ts'
import { repairs } from './repairs.ts'
import { reports } from './reports.ts'
import { scanCodes } from './scan-codes.ts'
import { settlements } from './settlements.ts'
import { strict } from './strict.ts'
import { suspensions } from './suspensions.ts'
import type { OpenStorage, TestRunner } from './test-runner.ts'
import { theStoresTime } from './the-stores-time.ts'
import { traces } from './traces.ts'

/**
 * Checks that a store keeps every promise of the storage port, races among them. It is handed the test runner, and
 * `open`, which makes a fresh, empty, migrated store; it is called once a capability and closed after it.
 *
 *     storageConformance({ describe, test, expect }, async () => ({ storage: myStorage(), close: async () => {} }))
 */
export function storageConformance(runner: TestRunner, open: OpenStorage): void {
  capability('merchants', runner, open, merchants)
  capability('API keys', runner, open, apiKeys)
  capability('scan codes', runner, open, scanCodes)
  capability('starting payments', runner, open, paymentsStart)
  capability('strict payments', runner, open, strict)
  capability('suspensions', runner, open, suspensions)
  capability('outcomes', runner, open, outcomes)
  capability('pending payments', runner, open, pendingPayments)
  capability('settlements', runner, open, settlements)
  capability('payments named by statements', runner, open, namedPayments)
  capability('imported statements', runner, open, importedStatements)
  capability('lists of payments', runner, open, paymentLists)
  capability('filters of payments', runner, open, paymentFilters)
  capability('walks through payments', runner, open, paymentWalks)
  capability('cash ups', runner, open, cashUps)
  capability('reports', runner, open, reports)
  capability('claims', runner, open, claims)
  capability('outcomes under a lease', runner, open, leasedOutcomes)
  capability('traces', runner, open, traces)
  capability('attempts', runner, open, attempts)
  capability('deliveries', runner, open, deliveries)
  capability('endpoints', runner, open, endpoints)
  capability('housekeeping', runner, open, housekeeping)
  capability('inspections', runner, open, inspections)
  capability('the store’s time', runner, open, theStoresTime)
  capability('repairs of dates', runner, open, repairs)
  capability('racing accounts', runner, open, racingAccounts)
  capability('racing payments', runner, open, racingPayments)
  capability('many merchants at once', runner, open, manyMerchants)
  capability('racing suspensions', runner, open, racingSuspensions)
  capability('racing cash ups', runner, open, racingCashUps)
  capability('racing reports', runner, open, racingReports)
  capability('racing settlements', runner, open, racingSettlements)
  capability('racing deliveries', runner, open, racingDeliveries)
}
