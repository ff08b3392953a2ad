import type { Merchant } from '@tillkit/domain'
import { type Logger, loggerFor, type Till } from '@tillkit/till'
import { createDispatch } from './api/dispatch.ts'
import { type Route, routes } from './api/routes.ts'
import { published, type RequestMessage } from './channels/request.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
import { type CheckedApiOptions, checkApiOptions, type MerchantApiOptions } from './merchant-api-options.ts'
import { apiLimits } from './rate-limits/api-limits.ts'
import { byWeight, type Charge } from './rate-limits/by-weight.ts'
import { stampStanding, tooManyRequests } from './rate-limits/limit.ts'
import { basicApiKey, unauthorised } from './request/basic-auth.ts'
import { httpsGuard, httpsRequired } from './request/https.ts'
import { requestId, stampRequestId } from './request/request-id.ts'
import { asAsked } from './response/as-asked.ts'
import { corsStamp, isPreflight, preflight } from './response/cors.ts'
import { errorResponse } from './response/error-response.ts'
import { errorWords } from './response/error-words.ts'
import { suspended } from './response/json.ts'

/** Whose keys open an API, and what it answers with. */
export interface KeyedApi {
  /** The merchant whose key this is, or null. */
  authenticate(apiKey: string): Promise<Merchant | null>
  /** The till that a merchant's requests are answered from. What it throws is the answer to the request. */
  tillOf(merchant: Merchant): Till | Promise<Till>
  /** What there is beside the routes of the API; none when left out. */
  routes?: readonly Route[]
  /** Hears of faults where the options have no logger. */
  logger: Logger
}

/**
 * The API for other keys than a till's own, answered from whichever till is theirs: `merchantApi` is this with one till. Every
 * request goes through the same checks in the same order (API 1, 5, 7, 8). Throws `invalid_input` naming the option that is
 * wrong.
 */
export function keyedApi(api: KeyedApi, options: MerchantApiOptions = {}): HttpHandler {
  return checkedApi(api, checkApiOptions(options))
}

/** The same, of options that were checked. */
export function checkedApi(
  { authenticate, tillOf, routes: more = [], logger: own }: KeyedApi,
  { https, cors, rateLimits, vocabulary, logger: given }: CheckedApiOptions,
): HttpHandler {
  const logger = loggerFor(given, { logger: own })
  const insecure = httpsGuard(https, logger)
  const stampCors = corsStamp(cors)
  const { admit, points, countMore } = apiLimits({ authenticate }, rateLimits, logger)
  const dispatch = createDispatch([...routes, ...more], tillOf, vocabulary, logger)
  const counted = byWeight(points - 1)
  const inWords = errorWords(vocabulary)

  /** In this order, so that whoever is not authenticated learns nothing. */
  async function answer(request: HttpRequest, id: string, message?: RequestMessage): Promise<HttpResponse> {
    if (insecure(request)) return httpsRequired()
    if (isPreflight(request)) return preflight(request)

    const apiKey = basicApiKey(request.headers.authorization)
    const admission = await admit(request.remoteAddress, apiKey)
    const { merchant } = admission
    let { standing } = admission
    if (message) message.merchantId = merchant?.id
    if (standing && !standing.allowed) return tooManyRequests(standing)

    const charge: Charge = async more => {
      standing = await countMore(apiKey, more)
      return standing
    }
    const response =
      merchant === null
        ? unauthorised()
        : merchant.suspendedAt !== null
          ? suspended()
          : await dispatch(merchant, request, id, message, (route, answer) =>
              counted(`${merchant.id} ${route.path}`, route.query !== undefined, charge, answer),
            )
    if (standing) stampStanding(standing, response)
    return response
  }

  return published('merchant_api', async (request, message) => {
    const id = requestId(request)
    if (message) message.requestId = id
    let response: HttpResponse
    try {
      response = inWords(await answer(request, id, message))
    } catch (error) {
      response = inWords(errorResponse(error, request, id, logger))
    }
    stampRequestId(id, response)
    stampCors(request, response)
    return asAsked(request, response)
  })
}
