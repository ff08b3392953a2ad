export type {
  ApiKey,
  CashUp,
  Delivery,
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryState,
  DeviceSums,
  DifferenceReason,
  EndpointHealth,
  FailingEndpoint,
  Features,
  Finding,
  FindingLevel,
  FoundStatement,
  ListedDelivery,
  ListedStatement,
  Merchant,
  MerchantSettlement,
  Page,
  PausedEndpoint,
  Payment,
  PaymentStatus,
  PeriodReport,
  RedeliverProgress,
  RepairedDates,
  ScanCode,
  ScanCodeSums,
  SettlementTotals,
  StartPayment,
  StatementRow,
  Sums,
  Takings,
} from '@tillkit/domain'
export { TillError, type TillErrorCode } from '@tillkit/domain'
export type { AttemptMessage } from './channels/attempt.ts'
export type { PaymentMessage, PaymentResult } from './channels/payment.ts'
export { ClockError } from './clock/clock-error.ts'
export { createTill } from './create-till.ts'
export type {
  InspectedCounts,
  Inspection,
  InspectOptions,
  WebhookKeyCounts,
} from './inspection/inspection.ts'
export type { Logger } from './logging/logger.ts'
export { loggerFor, safeLogger } from './logging/safe-logger.ts'
export { stderrLogger } from './logging/stderr-logger.ts'
export type { Secrets, TillOptions, WebhookOptions } from './options.ts'
export type {
  ExportOptions,
  FailStaleOptions,
  PaymentQuery,
  Payments,
  Reconciled,
  ReconcileOptions,
  StartedPayment,
  UnresolvedOptions,
  UnresolvedPayments,
} from './payments/calls.ts'
export type { Lookup, LookupAnswer, LookupContext } from './payments/lookup.ts'
export type { PeriodOptions, Reports, TakingsOptions } from './reports/calls.ts'
export type {
  Difference,
  Imported,
  ImportProgress,
  ImportStatement,
  LeftOut,
  Settlements,
} from './settlements/calls.ts'
export type { TillStanding } from './standing.ts'
export type { ApiKeys, CashUps, IssuedApiKey, Merchants, ScanCodes, Till } from './till.ts'
export type { DueDelivered, RunOptions, Webhooks } from './webhooks/calls.ts'
export type { AttemptEvent, WebhookEvents, WebhookListener } from './webhooks/events.ts'
export type { Stopped, WorkerStanding } from './webhooks/worker/standing.ts'
