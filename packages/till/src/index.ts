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
  ScanCode,
  StartPayment,
} from '@tillkit/domain'
export { TillError, type TillErrorCode } from '@tillkit/domain'
export { createTill } from './create-till.ts'
export type { Logger, Secrets, TillOptions, WebhookOptions } from './options.ts'
export type { ApiKeys, CashUps, Merchants, Payments, ScanCodes, Till, Webhooks } from './till.ts'
export type { AttemptEvent, WebhookEvents, WebhookListener } from './webhooks/events.ts'
