import { TillError } from '@tillkit/domain'
import { type ImageType, type PaymentParameters, QrError } from '@tillkit/qr'
import { loggerFor, type ScanCode, type Till } from '@tillkit/till'
import { published, type RequestMessage } from '../channels/request.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../handler.ts'
import { clientNetwork, UNKNOWN_NETWORK } from '../rate-limits/client-network.ts'
import { limit, stampStanding, tooManyRequests } from '../rate-limits/limit.ts'
import { httpsGuard, httpsRequired } from '../request/https.ts'
import { requestId, stampRequestId } from '../request/request-id.ts'
import { checkTarget } from '../request/target-limits.ts'
import { asAsked } from '../response/as-asked.ts'
import { READABLE } from '../response/cors.ts'
import { errorResponse } from '../response/error-response.ts'
import { errorWords } from '../response/error-words.ts'
import { methodNotAllowed, notFound } from '../response/json.ts'
import { type Charge, createImages } from './image.ts'
import { checkQrEndpointsOptions, type QrEndpointsOptions } from './options.ts'
import { noPaymentsPage, paymentPage } from './page.ts'
import { signatureCheck } from './payment-keys.ts'
import { readScan } from './read-scan.ts'

const PER_ADDRESS = { points: 300, duration: 1 }

/**
 * QR-code URLs and images (API 4.7), to be mounted at `/qr` of `qrBaseUrl`: `/{code}`, `/{code}.svg` and
 * `/{code}.png`, with no authentication. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function qrEndpoints(till: Till, options: QrEndpointsOptions): HttpHandler {
  const checked = checkQrEndpointsOptions(till, options)
  const { https, qrBaseUrl, rateLimits, onScan, vocabulary, logger: given } = checked
  const logger = loggerFor(given, till)
  const insecure = httpsGuard(https, logger)
  const perAddress =
    rateLimits === false ? null : limit('address', rateLimits?.perAddress, PER_ADDRESS, logger)

  const { image } = createImages(qrBaseUrl, vocabulary)
  const checkSignature = signatureCheck(till, checked)
  // Not the answers of `onScan`, which are the host's.
  const inWords = errorWords(vocabulary)

  async function answer(request: HttpRequest, id: string, message?: RequestMessage): Promise<HttpResponse> {
    if (insecure(request)) return inWords(httpsRequired())

    const network = clientNetwork(request.remoteAddress) ?? UNKNOWN_NETWORK
    let standing = (await perAddress?.count(network)) ?? null
    if (standing && !standing.allowed) return inWords(tooManyRequests(standing))

    const charge: Charge = async points => {
      if (perAddress === null) return null
      // What costs more than the whole limit can be had alone.
      const most = Math.min(points, perAddress.points - 1)
      if (most < 1) return null
      standing = await perAddress.count(network, most)
      return standing.allowed ? null : inWords(tooManyRequests(standing))
    }
    const response = await find(request, id, charge, message)
    if (standing) stampStanding(standing, response)
    return response
  }

  async function find(
    request: HttpRequest,
    id: string,
    charge: Charge,
    message: RequestMessage | undefined,
  ): Promise<HttpResponse> {
    try {
      checkTarget(request)
      const [, code, type] = /^\/([A-Za-z0-9_-]{1,64})(?:\.(svg|png))?\/?$/.exec(request.path) ?? []
      if (code === undefined) return inWords(notFound())
      if (message) message.route = type === undefined ? '/{scanCode}' : `/{scanCode}.${type}`
      if (request.method !== 'GET' && request.method !== 'HEAD') return inWords(methodNotAllowed('GET, HEAD'))
      const scanCode = await till.scanCodes.get(code)
      if (scanCode === null) throw new TillError('not_found', 'There is no such scan code')
      await checkSignature(code, scanCode.merchantId, request.query)
      if (type !== undefined) return await image(code, type as ImageType, request, charge)
      const scan = readScan(code, request.query, vocabulary)
      if (onScan === undefined) return await pageFor(till, scanCode, scan)
      const response = await onScan(scan, request)
      // The host may hand out one object again and again, or one without a body.
      return { ...response, headers: { ...response.headers }, body: response.body ?? null }
    } catch (error) {
      const shown = error instanceof QrError ? new TillError('invalid_input', error.message) : error
      return inWords(errorResponse(shown, request, id, logger))
    }
  }

  return published('qr', async (request, message) => {
    const id = requestId(request)
    if (message) message.requestId = id
    let response: HttpResponse
    try {
      response = asAsked(request, await answer(request, id, message))
    } catch (error) {
      response = asAsked(request, inWords(errorResponse(error, request, id, logger)))
    }
    // An application of any origin may draw with an image, and read why it got none.
    if (isImage(request)) readableAnywhere(response)
    stampRequestId(id, response)
    return response
  })
}

function isImage({ path }: HttpRequest): boolean {
  return /\.(?:svg|png)\/?$/.test(path)
}

function readableAnywhere({ headers }: HttpResponse): void {
  headers['Access-Control-Allow-Origin'] = '*'
  headers['Access-Control-Expose-Headers'] = READABLE.join(', ')
}

async function pageFor(till: Till, scanCode: ScanCode, scan: PaymentParameters): Promise<HttpResponse> {
  const merchant = await till.merchants.get(scanCode.merchantId)
  if (merchant === null) throw new Error(`the merchant of scan code ${scan.scanCode} is gone`)
  const suspended = (merchant.suspendedAt ?? scanCode.suspendedAt) !== null
  return suspended ? noPaymentsPage(merchant.name) : paymentPage(merchant.name, scan)
}
