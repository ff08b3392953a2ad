import type { Merchant } from '@tillkit/domain'
import type { Logger, Till } from '@tillkit/till'
import { errorResponse } from '../error-response.ts'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import { methodNotAllowed, notFound } from '../json.ts'
import { checkTarget } from '../target-limits.ts'
import { findResource, resourcesOf } from './router.ts'
import { routes } from './routes.ts'

const resources = resourcesOf(routes)

/** Finds the endpoint of an authenticated request and calls it. Never rejects: an endpoint's error is a response. */
export async function dispatch(
  till: Till,
  merchant: Merchant,
  request: HttpRequest,
  id: string,
  logger: Pick<Logger, 'error'>,
): Promise<HttpResponse> {
  try {
    checkTarget(request)
    const found = findResource(resources, request.path)
    if (found === null) return notFound()
    const endpoint = found.resource.endpoints.get(request.method)
    if (endpoint === undefined) return methodNotAllowed(found.resource.allow)
    return await endpoint({ till, merchant, request, parameter: found.parameter })
  } catch (error) {
    return errorResponse(error, request, id, logger)
  }
}
