import { TillError } from '@tillkit/domain'
import { type ImageType, type PaymentParameters, parsePaymentUrl, QrError } from '@tillkit/qr'
import type { Till } from '@tillkit/till'
import { asAsked } from '../as-asked.ts'
import { errorResponse } from '../error-response.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../handler.ts'
import { httpsRequired } from '../https.ts'
import { methodNotAllowed, notFound } from '../json.ts'
import { clientNetwork, UNKNOWN_NETWORK } from '../rate-limits/client-network.ts'
import { limit, stampStanding, tooManyRequests } from '../rate-limits/limit.ts'
import { image } from './image.ts'
import { checkQrEndpointsOptions, type QrEndpointsOptions } from './options.ts'
import { paymentPage } from './page.ts'

const IMAGE = /\.(?:svg|png)$/
const PER_ADDRESS = { points: 300, duration: 1 }

/**
 * QR-code URLs and images (specification 4.7), to be mounted at `/qr` of `qrBaseUrl`: `/{code}`, `/{code}.svg` and
 * `/{code}.png`, with no authentication. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function qrEndpoints(till: Till, options: QrEndpointsOptions): HttpHandler {
  const { https, qrBaseUrl, rateLimits, onScan, logger } = checkQrEndpointsOptions(till, options)
  const perAddress =
    rateLimits === false ? null : limit('address', rateLimits?.perAddress, PER_ADDRESS, logger)

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    if (https === 'required' && !request.secure) return httpsRequired()

    const standing =
      (await perAddress?.count(clientNetwork(request.remoteAddress) ?? UNKNOWN_NETWORK)) ?? null
    if (standing && !standing.allowed) return tooManyRequests(standing)

    const response = await find(request)
    if (standing) stampStanding(standing, response)
    return response
  }

  async function find(request: HttpRequest): Promise<HttpResponse> {
    const [, code, type] = /^\/([A-Za-z0-9_-]{1,64})(?:\.(svg|png))?$/.exec(request.path) ?? []
    if (code === undefined) return notFound()
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD')
    try {
      const scanCode = await till.scanCodes.get(code)
      if (scanCode === null) throw new TillError('not_found', 'There is no such scan code')
      if (type !== undefined) return await image(qrBaseUrl, code, type as ImageType, request)
      const scan = parsePaymentUrl(`/${code}?${request.query}`)
      if (onScan === undefined) return await pageFor(till, scanCode.merchantId, scan)
      const response = await onScan(scan, request)
      return { ...response, headers: { ...response.headers } } // the host may hand out one object again and again
    } catch (error) {
      const shown = error instanceof QrError ? new TillError('invalid_input', error.message) : error
      return errorResponse(shown, request, logger)
    }
  }

  return async request => {
    let response: HttpResponse
    try {
      response = await answer(request)
    } catch (error) {
      response = errorResponse(error, request, logger)
    }
    // An application of any origin may draw with an image, and read why it got none.
    if (IMAGE.test(request.path)) response.headers['Access-Control-Allow-Origin'] = '*'
    return asAsked(request, response)
  }
}

async function pageFor(till: Till, merchantId: string, scan: PaymentParameters): Promise<HttpResponse> {
  const merchant = await till.merchants.get(merchantId)
  if (merchant === null) throw new Error(`the merchant of scan code ${scan.scanCode} is gone`)
  return paymentPage(merchant.name, scan)
}
