import { type Vocabulary, validate, vocabulary } from '@tillkit/domain'
import type { Logger, Till } from '@tillkit/till'
import { z } from 'zod'
import { loggerOption } from './logger-option.ts'
import { type ApiRateLimits, apiRateLimits } from './rate-limits/api-limits.ts'
import { type HttpsOption, httpsOption } from './request/https.ts'
import { type CorsOptions, corsOptions } from './response/cors.ts'

/** What `merchantApi` takes beside the till. */
export interface MerchantApiOptions {
  /** `required`, the default, refuses plain HTTP; `off` is for local work. */
  https?: HttpsOption
  /** Which browser applications may call the API: all when left out. */
  cors?: CorsOptions
  /** Limits on requests; `false` has none. Left out, 100 a second for a key and 60 a minute for an address without. */
  rateLimits?: ApiRateLimits | false
  /** Other words for fields, query parameters and path words: `{ scanCode: 'snapCode' }`. What is not named stays. */
  vocabulary?: Vocabulary
  /** Hears of masked errors and of limiters that are down; the till's own when left out, `false` is silence. Never handed a header. */
  logger?: Pick<Logger, 'warn' | 'error'> | false
}

/** Checks that an argument is a till. */
export const tillArgument = z.custom<Till>(
  value => typeof (value as Till | undefined)?.authenticate === 'function',
  'must be what createTill returns',
)

const merchantApiOptions = z.strictObject({
  https: httpsOption.default('required'),
  cors: corsOptions.optional(),
  rateLimits: apiRateLimits.optional(),
  vocabulary: vocabulary.optional(),
  logger: loggerOption.optional(),
})

/** The options as the API works with them. */
export type CheckedApiOptions = z.output<typeof merchantApiOptions>

/** Checks all that `merchantApi` is given. Throws `invalid_input` with the path of the first that is wrong. */
export function checkMerchantApiOptions(till: Till, options: MerchantApiOptions) {
  validate(tillArgument, till, 'till')
  return checkApiOptions(options)
}

/** Checks the options alone. */
export function checkApiOptions(options: MerchantApiOptions): CheckedApiOptions {
  return validate(merchantApiOptions, options, 'the options of merchantApi')
}
