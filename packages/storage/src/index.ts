export type { ApiKeyStore, KeyOwner } from './api-key-store.ts'
export type { CashUpStore, CashUpToCreate } from './cash-up-store.ts'
export { CommitUnknownError, DatabaseError, UnreadableRowError } from './database-error.ts'
export type {
  ClaimedDelivery,
  ClaimRequest,
  DeliveryIdRange,
  DeliveryResult,
  DeliveryStore,
  KeptAttempt,
  Lease,
  RepairTimes,
  RequeueRange,
} from './delivery-store.ts'
export type { Endpoint, EndpointStore } from './endpoint-store.ts'
export {
  type InspectionRequest,
  PENDING_AGES,
  type PendingByAge,
  type StorageCounts,
  type StorageInspection,
  type StoredKeyCounts,
} from './inspection.ts'
export type { MerchantSlice, MerchantStore } from './merchant-store.ts'
export type {
  IdRange,
  PaymentStore,
  PendingPayment,
  PendingPosition,
  PendingRange,
  RepairedPayments,
  Resolved,
  Started,
} from './payment-store.ts'
export type { PreviousWebhookKey } from './previous-webhook-key.ts'
export type { ReportStore } from './report-store.ts'
export type { FoundScanCode, ScanCodeStore } from './scan-code-store.ts'
export type {
  ImportEnd,
  PaymentToSettle,
  SettledPayments,
  SettlementStore,
} from './settlement-store.ts'
export type { Storage } from './storage.ts'
