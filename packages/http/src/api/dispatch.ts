import type { Merchant, Vocabulary } from '@tillkit/domain'
import type { Logger, Till } from '@tillkit/till'
import type { RequestMessage } from '../channels/request.ts'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import { checkTarget } from '../request/target-limits.ts'
import { errorResponse } from '../response/error-response.ts'
import { methodNotAllowed, notFound } from '../response/json.ts'
import { apiWords } from './api-words.ts'
import { findResource, resourcesOf } from './router.ts'
import type { Route } from './routes.ts'

/** Finds the endpoint of an authenticated request and calls it. Never rejects: an endpoint's error is a response. */
export type Dispatch = (
  merchant: Merchant,
  request: HttpRequest,
  id: string,
  message: RequestMessage | undefined,
  counted: Counted,
) => Promise<HttpResponse>

/** Has an endpoint make its answer to a request for a route, and counts what it cost. */
type Counted = (route: Route, answer: () => Promise<HttpResponse>) => Promise<HttpResponse>

/** Calls the endpoints of `routes`, each with the till of its merchant, in the words of a vocabulary. */
export function createDispatch(
  routes: readonly Route[],
  tillOf: (merchant: Merchant) => Till | Promise<Till>,
  vocabulary: Vocabulary | undefined,
  logger: Pick<Logger, 'error'>,
): Dispatch {
  const resources = resourcesOf(routes, vocabulary)
  const words = apiWords(vocabulary)
  return async (merchant, request, id, message, counted) => {
    try {
      checkTarget(request)
      const found = findResource(resources, request.path)
      if (found === null) return notFound()
      if (message) message.route = found.resource.path
      const route = found.resource.routes.get(request.method)
      if (route === undefined) return methodNotAllowed(found.resource.allow)
      const till = await tillOf(merchant)
      const call = { till, merchant, request, parameter: found.parameter, words }
      return await counted(route, () => route.endpoint(call))
    } catch (error) {
      return errorResponse(error, request, id, logger)
    }
  }
}
