import {
  asAsked,
  clientNetwork,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  httpsGuard,
  limit,
  published,
  qrEndpoints,
  requestId,
  stampRequestId,
  stampStanding,
  UNKNOWN_NETWORK,
} from '@tillkit/http'
import type { Till } from '@tillkit/till'
import { faults } from './faults.ts'
import { inLanguage } from './languages/in-language.ts'
import { messages } from './messages.ts'
import { withOpenCodes } from './open-codes.ts'
import { type CheckoutOptions, checkOptions } from './options.ts'
import { pageResponses } from './page-response.ts'
import { SCRIPT, SCRIPT_NAME } from './pages/script.ts'
import { createCharger } from './payment/charger.ts'
import { wayBack } from './payment/return-address.ts'
import { type Route, routeOf, toldOf } from './route.ts'
import { visits } from './visits.ts'

/** A page to pay on, behind each QR code. */
export interface Checkout {
  /** Stands in for `qrEndpoints`, to be mounted at `/qr`: payment URLs, the page, its result, and the images of QR codes. */
  handler: HttpHandler
  /**
   * For a host that stops, after its server and before its till and storage: resolves when no charge is in flight and every
   * outcome is recorded, or `recordSeconds` later with `onUnrecorded` and the log. A press from then on starts no payment, and
   * is told to look again.
   */
  close(): Promise<void>
}

const PER_ADDRESS = { points: 300, duration: 1 }
const PAYMENTS = { points: 60, duration: 60 }

/**
 * Makes the page that customers pay on. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function createCheckout(till: Till, options: CheckoutOptions): Checkout {
  const checked = checkOptions(till, options)
  const { https, logger, rateLimits, qrBaseUrl, processor, accepts } = checked
  const { paymentKeys, bareCodes, vocabulary } = checked
  const insecure = httpsGuard(https, logger)
  const limiters = rateLimits === false ? null : (rateLimits ?? {})
  const perAddress = limiters && limit('address', limiters.perAddress, PER_ADDRESS, logger)
  const payments = limiters && limit('payments', limiters.payments, PAYMENTS, logger)
  const images = qrEndpoints(withOpenCodes(till, accepts), {
    qrBaseUrl,
    https,
    logger,
    ...(vocabulary && { vocabulary }),
    rateLimits: (limiters && { perAddress: limiters.perAddress }) || false,
    ...(paymentKeys && { paymentKeys, bareCodes }),
  })
  const charger = createCharger(till, processor, checked)
  const pagesFor = inLanguage(checked, speech => {
    const spoken = { ...checked, ...speech }
    const responses = pageResponses(spoken)
    const say = messages(responses, spoken.texts)
    const visit = visits(till, spoken, { responses, say }, charger)
    return { responses, say, fault: faults(say, logger), visit }
  })
  type Pages = ReturnType<typeof pagesFor>

  /** In this order, so that a flood costs no read of the storage. */
  async function answer(request: HttpRequest, pages: Pages): Promise<HttpResponse> {
    const { say } = pages
    if (insecure(request)) return say.insecure()

    const route = routeOf(request.path)
    // Who comes back by POST has pressed nothing here.
    const pressed = request.method === 'POST' && route?.kind !== 'back'
    const network = clientNetwork(request.remoteAddress) ?? UNKNOWN_NETWORK
    const standing = (await (pressed ? payments : perAddress)?.count(network)) ?? null
    if (standing && !standing.allowed) return say.tooMany(standing)

    const response = await find(route, request, pages)
    if (standing) stampStanding(standing, response)
    return response
  }

  async function find(
    route: Route | null,
    request: HttpRequest,
    { responses, say, visit }: Pages,
  ): Promise<HttpResponse> {
    if (route === null || route.kind === 'image') return say.unknown()
    const posts = route.kind === 'attempt' || route.kind === 'back'
    const allowed = posts ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    if (!allowed.includes(request.method)) return say.wrongMethod(allowed.join(', '))
    if (route.kind === 'script') return route.name === SCRIPT_NAME ? script() : say.unknown()
    // Nothing that comes with it is believed: the page that it leads to asks the processor.
    if (route.kind === 'back') return responses.redirect(wayBack(route.attempt, route.packed))
    if (route.kind === 'scan') return visit.scan(route.scanCode, request)
    if (route.kind === 'receipt') return visit.receipt(route, request)
    return request.method === 'POST' ? visit.press(route, request) : visit.attempt(route, request)
  }

  const page = published('checkout', async (request, message) => {
    const id = requestId(request)
    if (message) Object.assign(message, { requestId: id }, toldOf(request.path))
    const pages = pagesFor(request)
    let response: HttpResponse
    try {
      response = await answer(request, pages)
    } catch (error) {
      response = pages.fault(error, request, id)
    }
    stampRequestId(id, response)
    return asAsked(request, response)
  })

  const handler: HttpHandler = request =>
    routeOf(request.path)?.kind === 'image' ? images(request) : page(request)

  return { handler, close: () => charger.close() }
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
