import type { Till } from '@tillkit/till'
import { dispatch } from './api/dispatch.ts'
import { asAsked } from './as-asked.ts'
import { basicApiKey, unauthorised } from './basic-auth.ts'
import { corsStamp, isPreflight, preflight } from './cors.ts'
import { errorResponse } from './error-response.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
import { httpsRequired } from './https.ts'
import { checkMerchantApiOptions, type MerchantApiOptions } from './merchant-api-options.ts'
import { apiLimits } from './rate-limits/api-limits.ts'
import { stampStanding, tooManyRequests } from './rate-limits/limit.ts'

/**
 * The API that merchants call (specification 4.1 to 4.6), to be mounted at the base address's path, `/v1`. Throws
 * `TillError` `invalid_input` naming the option that is wrong.
 */
export function merchantApi(till: Till, options: MerchantApiOptions = {}): HttpHandler {
  const { https, cors, rateLimits, logger } = checkMerchantApiOptions(till, options)
  const stampCors = corsStamp(cors)
  const limits = apiLimits(rateLimits, logger)

  /** In this order, so that whoever is not authenticated learns nothing. */
  async function answer(request: HttpRequest): Promise<HttpResponse> {
    if (https === 'required' && !request.secure) return httpsRequired()
    if (isPreflight(request)) return preflight(request)

    const usedUp = await limits.usedUp(request.remoteAddress)
    if (usedUp) return tooManyRequests(usedUp)

    const apiKey = basicApiKey(request.headers.authorization)
    const merchant = apiKey === null ? null : await till.authenticate(apiKey)
    const standing =
      apiKey === null || merchant === null
        ? await limits.countAddress(request.remoteAddress)
        : await limits.countKey(apiKey)
    if (standing && !standing.allowed) return tooManyRequests(standing)

    const response = merchant === null ? unauthorised() : await dispatch(till, merchant, request, logger)
    if (standing) stampStanding(standing, response)
    return response
  }

  return async request => {
    let response: HttpResponse
    try {
      response = await answer(request)
    } catch (error) {
      response = errorResponse(error, request, logger)
    }
    stampCors(request, response)
    return asAsked(request, response)
  }
}
