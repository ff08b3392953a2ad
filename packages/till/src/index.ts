export type {
  ApiKey,
  CashUp,
  Delivery,
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryState,
  Features,
  ListedDelivery,
  Merchant,
  Page,
  PausedEndpoint,
  Payment,
  PaymentStatus,
  RepairedDates,
  ScanCode,
  StartPayment,
} from '@tillkit/domain'
export { TillError, type TillErrorCode } from '@tillkit/domain'
export { createTill } from './create-till.ts'
export type { Logger } from './logging/logger.ts'
export { loggerFor, safeLogger } from './logging/safe-logger.ts'
export { stderrLogger } from './logging/stderr-logger.ts'
export type { Secrets, TillOptions, WebhookOptions } from './options.ts'
export type { Lookup, LookupAnswer } from './payments/lookup.ts'
export type { Reconciled } from './payments/reconcile.ts'
export type {
  ApiKeys,
  CashUps,
  Merchants,
  Payments,
  ReconcileOptions,
  ScanCodes,
  Till,
  UnresolvedOptions,
  Webhooks,
} from './till.ts'
export type { AttemptEvent, WebhookEvents, WebhookListener } from './webhooks/events.ts'
