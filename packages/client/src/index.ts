/**
 * The API of a Tillkit server for merchants' programs: `createClient`. It depends on nothing but `fetch` and what stands
 * beside it in every runtime. Webhooks are at `@tillkit/client/webhooks`.
 *
 * @packageDocumentation
 */
export { ApiError } from './api-error.ts'
export type { CashUp } from './cash-ups/cash-up.ts'
export type { CashUps, CreateCashUpOptions, PeriodPaymentsOptions } from './cash-ups/cash-ups.ts'
export { type Client, createClient } from './client.ts'
export type { ClientOptions, Fetch, FetchInit } from './client-options.ts'
export type { ApiErrorCode, ClientErrorCode, ErrorCode } from './error-code.ts'
export type { Page, PageQuery } from './page.ts'
export type { DevicePayment, ListedPayment, Payment, PaymentStatus } from './payments/payment.ts'
export type { PaymentFilter } from './payments/payment-filter.ts'
export type { AllPaymentsQuery, Payments, WaitForOptions, WaitForQuery } from './payments/payments.ts'
export type { ImageUrlOptions, PaymentUrlOptions, PaymentUrls } from './qr/payment-urls.ts'
export type { CallOptions } from './transport/send.ts'
export type { Vocabulary } from './vocabulary/vocabulary.ts'
