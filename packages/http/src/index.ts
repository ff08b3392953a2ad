/**
 * The API over HTTP, for any server: `merchantApi` and `qrEndpoints` are handlers, functions from a small request to a
 * small response. `toFetch` mounts them on everything that speaks WHATWG's `Request` and `Response`; the rest is what an
 * adapter for another server, or a handler that stands beside these, is made of.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export { asAsked } from './as-asked.ts'
export { BodyBuffer } from './body.ts'
export type { CorsOptions } from './cors.ts'
export { maskedError } from './error-response.ts'
export { type FetchHandler, type FetchInfo, toFetch } from './fetch.ts'
export type { FetchOptions } from './fetch-options.ts'
export { type HttpHandler, type HttpRequest, type HttpResponse, MAX_BODY_BYTES } from './handler.ts'
export { type HttpsOption, httpsOption } from './https.ts'
export { errorObject, json, notFound } from './json.ts'
export { merchantApi } from './merchant-api.ts'
export { loggerOption, type MerchantApiOptions, tillArgument } from './merchant-api-options.ts'
export { findMount, type Mount, type Mounts, mountTable } from './mounts.ts'
export type { OnScan, QrEndpointsOptions } from './qr/options.ts'
export { qrEndpoints } from './qr/qr-endpoints.ts'
export type { ApiRateLimits } from './rate-limits/api-limits.ts'
export { clientNetwork, UNKNOWN_NETWORK } from './rate-limits/client-network.ts'
export {
  type Limit,
  limit,
  type Quota,
  type Standing,
  stampStanding,
  tooManyRequests,
} from './rate-limits/limit.ts'
export { type RateLimiter, type RateLimiterAnswer, rateLimiter } from './rate-limits/rate-limiter.ts'
export { splitTarget } from './target.ts'
