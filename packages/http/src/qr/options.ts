import { type Vocabulary, validate, vocabulary } from '@tillkit/domain'
import type { PaymentParameters } from '@tillkit/qr'
import type { Logger, Till } from '@tillkit/till'
import { z } from 'zod'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import { loggerOption } from '../logger-option.ts'
import { tillArgument } from '../merchant-api-options.ts'
import { type RateLimiter, rateLimiter } from '../rate-limits/rate-limiter.ts'
import { type HttpsOption, httpsOption } from '../request/https.ts'
import { checkQrBaseUrl } from './base-url.ts'
import {
  bareCodesOption,
  checkSignatureOptions,
  paymentKeysOption,
  type SignatureOptions,
} from './payment-keys.ts'

/**
 * Answers a customer who scanned a code; `scan` is ready for `till.payments.start`. Called for `HEAD` as for `GET`, with the request's
 * `method`: who starts a payment here leaves that for `GET`.
 */
export type OnScan = (scan: PaymentParameters, request: HttpRequest) => Promise<HttpResponse> | HttpResponse

/** Limiters of rate-limiter-flexible. One that is left out counts in this process's memory. */
export interface QrRateLimits {
  /** Counts all requests, by their address: 300 a second. An image that has to be drawn counts as 3 to 6. */
  perAddress?: RateLimiter
}

/** What `qrEndpoints` takes beside the till. */
export interface QrEndpointsOptions extends SignatureOptions {
  /** The address whose path `/qr` these endpoints are mounted at, as QR codes carry it: `https://pay.example.com`. */
  qrBaseUrl: string
  /** `required`, the default, refuses plain HTTP; `off` is for local work. */
  https?: HttpsOption
  /** Limits on requests, in memory when left out; `false` has none. */
  rateLimits?: QrRateLimits | false
  /** Answers `GET /qr/{code}`, and `HEAD`. Left out, a plain page shows who is to be paid, for what and how much. */
  onScan?: OnScan
  /** Other words for the names in payment URLs, images' and errors: `{ scan_code_size: 'snap_code_size' }`. */
  vocabulary?: Vocabulary
  /** Hears of masked errors and of a limiter that is down; the till's own when left out, `false` is silence. Never handed a header. */
  logger?: Pick<Logger, 'warn' | 'error'> | false
}

const qrEndpointsOptions = z.strictObject({
  qrBaseUrl: z.string(),
  https: httpsOption.default('required'),
  rateLimits: z
    .union(
      [z.literal(false), z.strictObject({ perAddress: rateLimiter.optional() })],
      'must be false or an object with the limiter perAddress',
    )
    .optional(),
  paymentKeys: paymentKeysOption.optional(),
  bareCodes: bareCodesOption.optional(),
  onScan: z.custom<OnScan>(value => typeof value === 'function', 'must be a function').optional(),
  vocabulary: vocabulary.optional(),
  logger: loggerOption.optional(),
})

/** Checks all that `qrEndpoints` is given. Throws `invalid_input` with the path of the first that is wrong. */
export function checkQrEndpointsOptions(till: Till, options: QrEndpointsOptions) {
  validate(tillArgument, till, 'till')
  const checked = validate(qrEndpointsOptions, options, 'the options of qrEndpoints')
  checkQrBaseUrl(checked.qrBaseUrl, checked.https, checked.vocabulary)
  checkSignatureOptions(options)
  return checked
}
