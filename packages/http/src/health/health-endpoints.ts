import { loggerFor, type Till } from '@tillkit/till'
import type { HttpHandler, HttpRequest, HttpResponse } from '../handler.ts'
import { requestId, stampRequestId } from '../request/request-id.ts'
import { asAsked } from '../response/as-asked.ts'
import { json, methodNotAllowed, notFound } from '../response/json.ts'
import { createLooks, type States, workerState } from './looks.ts'
import { checkHealthOptions, type HealthEndpointsOptions } from './options.ts'
import { tellChanges } from './tell-changes.ts'

/**
 * `/livez` and `/readyz`, for a load balancer and whoever restarts processes: 200 or 503, and a JSON object that says how
 * each thing is. No HTTPS and no key is asked for, and nothing in it is secret. However many ask, the database is read once
 * a second at most. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function healthEndpoints(till: Till, options: HealthEndpointsOptions = {}): HttpHandler {
  const checked = checkHealthOptions(till, options)
  const logger = loggerFor(checked.logger, till)
  const errors = new Map<string, unknown>()
  const look = createLooks(till, checked, errors)
  const tell = tellChanges(logger, errors)
  const isStopping = () => till.standing().closing || checked.signal?.aborted === true

  /** A process that stops is alive, and says so to nobody's harm. */
  const live = () => answer({ process: { ok: true, state: isStopping() ? 'stopping' : 'running' } })

  const ready = async () => {
    // Asked before, so that a stop is known at once, and after, where it began meanwhile.
    if (isStopping()) return answer(STOPPING)
    const found = await look()
    if (isStopping()) return answer(STOPPING)
    const worker = workerState(till, checked)
    const states = { process: { ok: true, state: 'running' }, ...found, ...(worker && { worker }) }
    tell(states)
    return answer(states)
  }

  const find = async ({ path, method }: HttpRequest): Promise<HttpResponse> => {
    const name = path.endsWith('/') ? path.slice(0, -1) : path
    const endpoint = name === '/livez' ? live : name === '/readyz' ? ready : null
    if (endpoint === null) return notFound()
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD')
    return endpoint()
  }

  return async request => {
    const response = await find(request)
    stampRequestId(requestId(request), response)
    return asAsked(request, response)
  }
}

const STOPPING: States = { process: { ok: false, state: 'stopping' } }

function answer(checks: States): HttpResponse {
  const ok = Object.values(checks).every(check => check.ok)
  return json(ok ? 200 : 503, { ok, checks })
}
