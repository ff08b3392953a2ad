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
export type {
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
export type { ApiKeys, CashUps, IssuedApiKey, Merchants, ScanCodes, Till } from './till.ts'
export type { DueDelivered, RunOptions, Webhooks } from './webhooks/calls.ts'
export type { AttemptEvent, WebhookEvents, WebhookListener } from './webhooks/events.ts'
