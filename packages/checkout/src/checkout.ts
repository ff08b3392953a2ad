import { TillError } from '@tillkit/domain'
import {
  asAsked,
  clientNetwork,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  limit,
  qrEndpoints,
  stampStanding,
  UNKNOWN_NETWORK,
} from '@tillkit/http'
import type { Till } from '@tillkit/till'
import { messages } from './messages.ts'
import { withOpenCodes } from './open-codes.ts'
import { type CheckoutOptions, checkOptions } from './options.ts'
import { pageResponses } from './page-response.ts'
import { SCRIPT, SCRIPT_NAME } from './pages/script.ts'
import { createCharger } from './payment/charger.ts'
import { routeOf } from './route.ts'
import { visits } from './visits.ts'

/** A page to pay on, behind each QR code. */
export interface Checkout {
  /** Stands in for `qrEndpoints`, to be mounted at `/qr`: payment URLs, the page, its result, and the images of QR codes. */
  handler: HttpHandler
  /** Resolves when no charge is in flight, for a host that stops: after its server, before its till and storage. */
  close(): Promise<void>
}

const PER_ADDRESS = { points: 300, duration: 1 }
const PAYMENTS = { points: 60, duration: 60 }

/**
 * Makes the page that customers pay on. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function createCheckout(till: Till, options: CheckoutOptions): Checkout {
  const checked = checkOptions(till, options)
  const { https, logger, rateLimits, qrBaseUrl, processor, waitSeconds, timeoutSeconds, texts, accepts } =
    checked
  const limiters = rateLimits === false ? null : (rateLimits ?? {})
  const perAddress = limiters && limit('address', limiters.perAddress, PER_ADDRESS, logger)
  const payments = limiters && limit('payments', limiters.payments, PAYMENTS, logger)
  const images = qrEndpoints(withOpenCodes(till, accepts), {
    qrBaseUrl,
    https,
    logger,
    rateLimits: (limiters && { perAddress: limiters.perAddress }) || false,
  })
  const charger = createCharger(till, processor, { waitSeconds, timeoutSeconds, logger })
  const responses = pageResponses(checked)
  const say = messages(responses, texts)
  const visit = visits(till, checked, responses, say, charger)

  /** In this order, so that a flood costs no read of the storage. */
  async function answer(request: HttpRequest): Promise<HttpResponse> {
    if (https === 'required' && !request.secure) return say.insecure()

    const pressed = request.method === 'POST'
    const network = clientNetwork(request.remoteAddress) ?? UNKNOWN_NETWORK
    const standing = (await (pressed ? payments : perAddress)?.count(network)) ?? null
    if (standing && !standing.allowed) return say.tooMany(standing)

    const response = await find(request)
    if (standing) stampStanding(standing, response)
    return response
  }

  async function find(request: HttpRequest): Promise<HttpResponse> {
    const route = routeOf(request.path)
    if (route === null || route.kind === 'image') return say.unknown()
    const allowed = route.kind === 'attempt' ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    if (!allowed.includes(request.method)) return say.wrongMethod(allowed.join(', '))
    if (route.kind === 'script') return route.name === SCRIPT_NAME ? script() : say.unknown()
    if (route.kind === 'scan') return visit.scan(route.scanCode, request)
    return request.method === 'POST' ? visit.press(route, request) : visit.attempt(route, request)
  }

  async function handler(request: HttpRequest): Promise<HttpResponse> {
    if (routeOf(request.path)?.kind === 'image') return images(request)
    let response: HttpResponse
    try {
      response = await answer(request)
    } catch (error) {
      response = fault(error, request)
    }
    return asAsked(request, response)
  }

  function fault(error: unknown, { method, path }: HttpRequest): HttpResponse {
    if (error instanceof TillError && error.code === 'invalid_input') return say.wrongLink(error.message)
    logger?.error({ err: error, method, path }, 'request failed')
    return say.fault()
  }

  return { handler, close: () => charger.idle() }
}

/** Its name changes when it does, so it may be kept for good. */
function script(): HttpResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    },
    body: SCRIPT,
  }
}
