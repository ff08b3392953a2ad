/**
 * The words of Tillkit and their rules, without I/O, clock or randomness.
 *
 * - A **merchant** owns **scan codes**; a customer scans one and pays.
 * - A **payment** is one attempt to pay. It is `pending` until its **outcome**, `completed` or `error`, is known.
 * - A **cash up** ends a **period**, a run of payment ids; each payment is in exactly one period, fixed when it starts.
 * - A **settlement** pays completed payments out to the merchant under a **statement reference**.
 * - A **delivery** is the webhook of one outcome; it is tried until a receiver answers with success or it is exhausted.
 * - An **endpoint** is a merchant's webhook URL and how it has answered; one that has failed for too long is **paused**.
 * - An **API key** authenticates a merchant's requests.
 * - A **vocabulary** puts other words for the names on the wire.
 * - A merchant or a scan code that is **suspended** takes no payments until it is resumed.
 *
 * @packageDocumentation
 */
export {
  DIFFERENCE_REASONS,
  type DifferenceReason,
  disagreement,
  MOST_MEANT,
  paymentMeant,
} from './agreement.ts'
export { exactSum, isAmount } from './amount.ts'
export { type ApiKey, type NewApiKey, newApiKey } from './api-key.ts'
export { type CashUp, cashUpSchema, type NewCashUp, newCashUp } from './cash-up.ts'
export {
  after,
  type Instant,
  instant,
  later,
  moment,
  parseDateTime,
  secondOf,
  secondsBetween,
  type WireDate,
  wireDate,
} from './date.ts'
export {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryCounts,
  type DeliveryKey,
  type DeliveryRange,
  type DeliveryState,
  deliveryKey,
  deliveryRange,
  KEPT_ATTEMPTS,
  type ListedDelivery,
  type PurgeDeliveries,
  purgeDeliveries,
  type RedeliverProgress,
  type RedeliverSince,
  redeliverSince,
} from './delivery.ts'
export {
  type EndpointHealth,
  type FailingEndpoint,
  PAUSED_AFTER_DAYS,
  type PausedEndpoint,
  pausedIfFailingSince,
} from './endpoint.ts'
export { type Extra, MAX_EXTRA_BYTES, MAX_EXTRA_NAMES } from './extra.ts'
export { type KeptFailure, keptFailure } from './failure.ts'
export { FINDING_LEVELS, type Finding, type FindingLevel, findingsOf, worstOf } from './finding.ts'
export {
  type Features,
  isMerchantId,
  type Merchant,
  type MerchantPatch,
  type MerchantRange,
  merchantId,
  merchantPatch,
  merchantRange,
  type NewMerchant,
  type NewWebhookKey,
  newMerchant,
  newWebhookKey,
  patchMerchant,
} from './merchant.ts'
export { assertOutcome, type FailPayment, type Outcome, paymentKey } from './outcome.ts'
export {
  type Page,
  type PagePosition,
  type PageRequest,
  pagePosition,
  pageRequest,
  type Slice,
  sliceOf,
  whole,
} from './page.ts'
export { PAYMENT_STATUSES, type Payment, type PaymentKey, type PaymentStatus } from './payment.ts'
export {
  EXACT_FILTERS,
  type PaymentFilter,
  type PaymentFilterInput,
  paymentFilter,
} from './payment-filter.ts'
export {
  type DevicePaymentObject,
  devicePaymentObject,
  type PaymentObject,
  paymentObject,
} from './payment-object.ts'
export { devicePaymentObjectSchema, paymentObjectSchema } from './payment-object-schema.ts'
export { ofProperties } from './properties.ts'
export type { RepairedDates } from './repaired-dates.ts'
export type { DeviceSums, PeriodReport, ScanCodeSums, Sums, Takings } from './report.ts'
export { type Attempt, afterAttempt, type DeliveryStanding, isSuccess, RETRY_DELAYS } from './retry.ts'
export { isScanCode, type NewScanCode, newScanCode, type ScanCode, scanCode } from './scan-code.ts'
export { assertSettles, type Settlement, settlement } from './settlement.ts'
export { type NewPayment, newPayment, type StartPayment, startPayment } from './start-payment.ts'
export type {
  FoundStatement,
  ListedStatement,
  MerchantSettlement,
  SettlementTotals,
} from './statement.ts'
export {
  isNamed,
  type PaymentName,
  paymentNameOf,
  type StatementRow,
  statementRow,
} from './statement-row.ts'
export { guardedReference, type StrictRefusal, strictRefusal } from './strict.ts'
export { assertTakesPayments, type Suspensions } from './suspension.ts'
export { isText, MAX_REFERENCE_LENGTH, nonEmptyReference, reference, shortened } from './text.ts'
export { TillError, type TillErrorCode } from './till-error.ts'
export { validate } from './validate.ts'
export { VOCABULARY, type VocabularyGroup, type VocabularyName } from './vocabulary/names.ts'
export { namesByWord, type Renaming, renamingOf } from './vocabulary/renaming.ts'
export { type Vocabulary, vocabulary, wordOf } from './vocabulary/vocabulary.ts'
