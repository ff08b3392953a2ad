import { capability } from './capability.ts'
import { cashUps } from './cash-ups/cash-ups.ts'
import { reports } from './cash-ups/reports.ts'
import { attempts } from './deliveries/attempts.ts'
import { claims } from './deliveries/claims.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { endpoints } from './deliveries/endpoints.ts'
import { housekeeping } from './deliveries/housekeeping.ts'
import { leasedOutcomes } from './deliveries/leased-outcomes.ts'
import { manyMerchants } from './deliveries/many-merchants.ts'
import { traces } from './deliveries/traces.ts'
import { apiKeys } from './merchants/api-keys.ts'
import { merchants } from './merchants/merchants.ts'
import { scanCodes } from './merchants/scan-codes.ts'
import { suspensions } from './merchants/suspensions.ts'
import { outcomes } from './payments/outcomes.ts'
import { paymentFilters } from './payments/payment-filters.ts'
import { paymentLists } from './payments/payment-lists.ts'
import { paymentWalks } from './payments/payment-walks.ts'
import { paymentsStart } from './payments/payments-start.ts'
import { pendingPayments } from './payments/pending-payments.ts'
import { strict } from './payments/strict.ts'
import { racingAccounts } from './races/racing-accounts.ts'
import { racingCashUps } from './races/racing-cash-ups.ts'
import { racingDeliveries } from './races/racing-deliveries.ts'
import { racingPayments } from './races/racing-payments.ts'
import { racingReports } from './races/racing-reports.ts'
import { racingSettlements } from './races/racing-settlements.ts'
import { racingSuspensions } from './races/racing-suspensions.ts'
import { importedStatements } from './settlements/imported-statements.ts'
import { namedPayments } from './settlements/named-payments.ts'
import { settlements } from './settlements/settlements.ts'
import type { OpenStorage, TestRunner } from './test-runner.ts'
import { inspections } from './upkeep/inspections.ts'
import { repairs } from './upkeep/repairs.ts'
import { theStoresTime } from './upkeep/the-stores-time.ts'

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
