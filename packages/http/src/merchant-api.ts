import type { Till } from '@tillkit/till'
import type { HttpHandler } from './handler.ts'
import { checkedApi } from './keyed-api.ts'
import { checkMerchantApiOptions, type MerchantApiOptions } from './merchant-api-options.ts'

/**
 * The API that merchants call (API 4.1 to 4.6), to be mounted at the base address's path, `/v1`. Throws
 * `TillError` `invalid_input` naming the option that is wrong.
 */
export function merchantApi(till: Till, options: MerchantApiOptions = {}): HttpHandler {
  const checked = checkMerchantApiOptions(till, options)
  const authenticate: Till['authenticate'] = apiKey => till.authenticate(apiKey)
  return checkedApi({ authenticate, tillOf: () => till, logger: till.logger }, checked)
}
