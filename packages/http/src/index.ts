/**
 * The API over HTTP, for any server: `merchantApi` and `qrEndpoints` are handlers, functions from a small request to a
 * small response. `toFetch` mounts them on everything that speaks WHATWG's `Request` and `Response`; the rest is what an
 * adapter for another server is made of.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export { BodyBuffer } from './body.ts'
export type { CorsOptions } from './cors.ts'
export { maskedError } from './error-response.ts'
export { type FetchHandler, type FetchInfo, toFetch } from './fetch.ts'
export { type HttpHandler, type HttpRequest, type HttpResponse, MAX_BODY_BYTES } from './handler.ts'
export type { HttpsOption } from './https.ts'
export { errorObject, json, notFound } from './json.ts'
export { merchantApi } from './merchant-api.ts'
export type { MerchantApiOptions } from './merchant-api-options.ts'
export { findMount, type Mount, type Mounts, mountTable } from './mounts.ts'
export type { OnScan, QrEndpointsOptions } from './qr/options.ts'
export { qrEndpoints } from './qr/qr-endpoints.ts'
export type { ApiRateLimits } from './rate-limits/api-limits.ts'
export type { RateLimiter, RateLimiterAnswer } from './rate-limits/rate-limiter.ts'
export { splitTarget } from './target.ts'
