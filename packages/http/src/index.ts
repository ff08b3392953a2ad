/**
 * The API over HTTP, for any server: `merchantApi` and `qrEndpoints` are handlers, functions from a small request to a
 * small response. `toFetch` mounts them on everything that speaks WHATWG's `Request` and `Response`; the rest is what an
 * adapter for another server, or a handler that stands beside these, is made of: `html`, for one, writes pages on which whatever
 * is shown is escaped.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export type { Call, Endpoint } from './api/call.ts'
export { examplePayment } from './api/examples.ts'
export { paginationHeaders, paginationQuery } from './api/pagination.ts'
export { readQuery } from './api/query.ts'
export { apiRoutes, type Route } from './api/routes.ts'
export { BODY_SECONDS, type BodyLimits, MAX_BODY_BYTES, UNREAD_LIMITS } from './body/body-limits.ts'
export { inPieces } from './body/body-pieces.ts'
export { type BodyListener, type BodySource, gatherBody } from './body/gather-body.ts'
export { type FormLimits, readForm } from './body/read-form.ts'
export { type PublishedAnswer, published, type RequestMessage } from './channels/request.ts'
export { ANSWER_HEADERS, type AnswerHeader } from './description/answer-headers.ts'
export { apiAnswers, METHOD_NOT_ALLOWED, NOT_FOUND, type Particulars } from './description/api-answers.ts'
export type { Answer, AnswerBody, RouteDescription } from './description/route-description.ts'
export { type FetchHandler, type FetchInfo, toFetch } from './fetch/fetch.ts'
export type { FetchOptions } from './fetch/fetch-options.ts'
export type { BodyPieces, HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
export { healthEndpoints } from './health/health-endpoints.ts'
export type { HealthCheck, HealthEndpointsOptions } from './health/options.ts'
export { type Brand, brandOption, DEFAULT_COLOUR, inkOn, logoSource } from './html/brand.ts'
export { type Content, Html, html, trusted } from './html/html.ts'
export { pageGuards } from './html/page-guards.ts'
export { type KeyedApi, keyedApi } from './keyed-api.ts'
export { loggerOption } from './logger-option.ts'
export { merchantApi } from './merchant-api.ts'
export { type MerchantApiOptions, tillArgument } from './merchant-api-options.ts'
export { type FoundMount, findMount, type Mount, type Mounts, mountTable, notMounted } from './mounts.ts'
export { checkQrBaseUrl } from './qr/base-url.ts'
export type { OnScan, QrEndpointsOptions, QrRateLimits } from './qr/options.ts'
export {
  bareCodesOption,
  type CheckSignature,
  checkSignatureOptions,
  type MerchantPaymentKeys,
  type PaymentKeys,
  paymentKeysOption,
  type SignatureCheckOptions,
  type SignatureOptions,
  signatureCheck,
} from './qr/payment-keys.ts'
export { qrEndpoints } from './qr/qr-endpoints.ts'
export { readScan } from './qr/read-scan.ts'
export { qrRoutes } from './qr/routes.ts'
export type { ApiRateLimits } from './rate-limits/api-limits.ts'
export { clientNetwork, ipAddress, UNKNOWN_NETWORK } from './rate-limits/client-network.ts'
export {
  type Left,
  type Limit,
  limit,
  type Quota,
  type Standing,
  stampStanding,
  tooManyRequests,
} from './rate-limits/limit.ts'
export { type RateLimiter, type RateLimiterAnswer, rateLimiter } from './rate-limits/rate-limiter.ts'
export { basicApiKey } from './request/basic-auth.ts'
export { type HttpsOption, httpsGuard, httpsOption } from './request/https.ts'
export { RequestError } from './request/request-error.ts'
export { requestId, stampRequestId } from './request/request-id.ts'
export { splitTarget, type Target } from './request/target.ts'
export { checkTarget, MAX_QUERY_BYTES, MAX_QUERY_PAIRS } from './request/target-limits.ts'
export { asAsked } from './response/as-asked.ts'
export type { CorsOptions } from './response/cors.ts'
export { errorResponse, type FailedRequest, maskedError } from './response/error-response.ts'
export {
  ERROR_CODES,
  type ErrorCode,
  errorObject,
  errorObjectSchema,
  json,
  methodNotAllowed,
  notFound,
} from './response/json.ts'
