import type { ApiKeyStore } from './api-key-store.ts'
import type { CashUpStore } from './cash-up-store.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EndpointStore } from './endpoint-store.ts'
import type { InspectionRequest, StorageInspection } from './inspection.ts'
import type { MerchantStore } from './merchant-store.ts'
import type { PaymentStore } from './payment-store.ts'
import type { ReportStore } from './report-store.ts'
import type { ScanCodeStore } from './scan-code-store.ts'
import type { SettlementStore } from './settlement-store.ts'

/**
 * The storage port: everything that Tillkit keeps.
 *
 * Each method is one atomic step: it happens whole or not at all, whatever runs beside it in this process or another,
 * and what it acknowledged is there after a crash. Ids and dates of payments, and cash ups, are given out under one
 * lock a merchant, "the merchant's lock"; nothing ever locks two merchants at once. A method that is told of something
 * unknown says so in the way its comment tells, and throws anything but a `TillError` only when the store itself fails.
 *
 * A `now` that may be null is then the store's own time, never a later one: that is how processes whose clocks differ
 * agree. A `now` that is given is believed.
 *
 * `@tillkit/storage/conformance` checks all of this for any store.
 */
export interface Storage {
  /** Merchants, and their webhook keys. */
  merchants: MerchantStore
  /** Their API keys. */
  apiKeys: ApiKeyStore
  /** Their scan codes. */
  scanCodes: ScanCodeStore
  /** Payments and their outcomes. */
  payments: PaymentStore
  /** Cash ups and the payments of their periods. */
  cashUps: CashUpStore
  /** What payments come to. */
  reports: ReportStore
  /** Statements of whoever pays out, and what they settled. */
  settlements: SettlementStore
  /** Webhooks to be sent, and what came of them. */
  deliveries: DeliveryStore
  /** How merchants' webhook URLs have answered. */
  endpoints: EndpointStore
  /**
   * The store's own time, to the millisecond, by one read: that of the clock which all processes on one store share. It is
   * what `now: null` means. A store that has none leaves this out: then the till goes by its machine's clock and never
   * says null.
   */
  time?(): Promise<Date>
  /**
   * Whether every migration that this version of the store knows is done; false too where there are no tables yet. One read
   * of a few rows, which may be asked every second. A store that has no migrations leaves this out.
   */
  migrated?(): Promise<boolean>
  /**
   * Looks at the engine and at the tables as a whole: settings, migrations, indexes, locks, and what there is of rows that
   * want somebody. Changes nothing, and what may not be looked at is a finding. Costs reads over all merchants, their rows
   * and what is pending among them: for a person or once a day. Rejects where the store does not answer at all.
   */
  inspect?(request: InspectionRequest): Promise<StorageInspection>
  /** True for a store that is part of an open transaction of its host's: the till asks it nothing of its own accord. */
  inTransaction?: boolean
}
