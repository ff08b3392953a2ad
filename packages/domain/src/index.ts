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

export { type CashUp, cashUpSchema, type NewCashUp, newCashUp } from './cash-ups/cash-up.ts'
export type { DeviceSums, PeriodReport, ScanCodeSums, Sums, Takings } from './cash-ups/report.ts'
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
} from './deliveries/delivery.ts'
export {
  type EndpointHealth,
  type FailingEndpoint,
  PAUSED_AFTER_DAYS,
  type PausedEndpoint,
  pausedIfFailingSince,
} from './deliveries/endpoint.ts'
export {
  type Attempt,
  afterAttempt,
  type DeliveryStanding,
  isSuccess,
  RETRY_DELAYS,
} from './deliveries/retry.ts'
export { type ApiKey, type NewApiKey, newApiKey } from './merchants/api-key.ts'
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
} from './merchants/merchant.ts'
export { isScanCode, type NewScanCode, newScanCode, type ScanCode, scanCode } from './merchants/scan-code.ts'
export { assertTakesPayments, type Suspensions } from './merchants/suspension.ts'
export { exactSum, isAmount } from './payments/amount.ts'
export { type Extra, MAX_EXTRA_BYTES, MAX_EXTRA_NAMES } from './payments/extra.ts'
export { type KeptFailure, keptFailure } from './payments/failure.ts'
export { assertOutcome, type FailPayment, type Outcome, paymentKey } from './payments/outcome.ts'
export { PAYMENT_STATUSES, type Payment, type PaymentKey, type PaymentStatus } from './payments/payment.ts'
export {
  EXACT_FILTERS,
  type PaymentFilter,
  type PaymentFilterInput,
  paymentFilter,
} from './payments/payment-filter.ts'
export {
  type DevicePaymentObject,
  devicePaymentObject,
  type PaymentObject,
  paymentObject,
} from './payments/payment-object.ts'
export { devicePaymentObjectSchema, paymentObjectSchema } from './payments/payment-object-schema.ts'
export { isSamePayment } from './payments/same-payment.ts'
export { type NewPayment, newPayment, type StartPayment, startPayment } from './payments/start-payment.ts'
export { guardedReference, type StrictRefusal, strictRefusal } from './payments/strict.ts'
export {
  DIFFERENCE_REASONS,
  type DifferenceReason,
  disagreement,
  MOST_MEANT,
  paymentMeant,
} from './settlements/agreement.ts'
export { assertSettles, type Settlement, settlement } from './settlements/settlement.ts'
export type {
  FoundStatement,
  ListedStatement,
  MerchantSettlement,
  SettlementTotals,
} from './settlements/statement.ts'
export {
  isNamed,
  type PaymentName,
  paymentNameOf,
  type StatementRow,
  statementRow,
} from './settlements/statement-row.ts'
export { TillError, type TillErrorCode } from './till-error.ts'
export { FINDING_LEVELS, type Finding, type FindingLevel, findingsOf, worstOf } from './upkeep/finding.ts'
export type { RepairedDates } from './upkeep/repaired-dates.ts'
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
} from './values/date.ts'
export {
  type Page,
  type PagePosition,
  type PageRequest,
  pagePosition,
  pageRequest,
  type Slice,
  sliceOf,
  whole,
} from './values/page.ts'
export { parseJson } from './values/parse-json.ts'
export { ofProperties } from './values/properties.ts'
export { isText, MAX_REFERENCE_LENGTH, nonEmptyReference, reference, shortened } from './values/text.ts'
export { validate } from './values/validate.ts'
export { VOCABULARY, type VocabularyGroup, type VocabularyName } from './vocabulary/names.ts'
export { namesByWord, type Renaming, renamingOf } from './vocabulary/renaming.ts'
export { type Vocabulary, vocabulary, wordOf } from './vocabulary/vocabulary.ts'
