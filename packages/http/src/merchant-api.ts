import { loggerFor, type Till } from '@tillkit/till'
import { createDispatch } from './api/dispatch.ts'
import { asAsked } from './as-asked.ts'
import { basicApiKey, unauthorised } from './basic-auth.ts'
import { corsStamp, isPreflight, preflight } from './cors.ts'
import { errorResponse } from './error-response.ts'
import { errorWords } from './error-words.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
import { httpsGuard, httpsRequired } from './https.ts'
import { suspended } from './json.ts'
import { checkMerchantApiOptions, type MerchantApiOptions } from './merchant-api-options.ts'
import { apiLimits } from './rate-limits/api-limits.ts'
import { stampStanding, tooManyRequests } from './rate-limits/limit.ts'
import { requestId, stampRequestId } from './request-id.ts'

/**
 * The API that merchants call (API 4.1 to 4.6), to be mounted at the base address's path, `/v1`. Throws
 * `TillError` `invalid_input` naming the option that is wrong.
 */
export function merchantApi(till: Till, options: MerchantApiOptions = {}): HttpHandler {
  const { https, cors, rateLimits, vocabulary, logger: given } = checkMerchantApiOptions(till, options)
  const logger = loggerFor(given, till)
  const insecure = httpsGuard(https, logger)
  const stampCors = corsStamp(cors)
  const admit = apiLimits(till, rateLimits, logger)
  const dispatch = createDispatch(till, vocabulary, logger)
  const inWords = errorWords(vocabulary)

  /** In this order, so that whoever is not authenticated learns nothing. */
  async function answer(request: HttpRequest, id: string): Promise<HttpResponse> {
    if (insecure(request)) return httpsRequired()
    if (isPreflight(request)) return preflight(request)

    const apiKey = basicApiKey(request.headers.authorization)
    const { merchant, standing } = await admit(request.remoteAddress, apiKey)
    if (standing && !standing.allowed) return tooManyRequests(standing)

    const response =
      merchant === null
        ? unauthorised()
        : merchant.suspendedAt !== null
          ? suspended()
          : await dispatch(merchant, request, id)
    if (standing) stampStanding(standing, response)
    return response
  }

  return async request => {
    const id = requestId(request)
    let response: HttpResponse
    try {
      response = inWords(await answer(request, id))
    } catch (error) {
      response = inWords(errorResponse(error, request, id, logger))
    }
    stampRequestId(id, response)
    stampCors(request, response)
    return asAsked(request, response)
  }
}
