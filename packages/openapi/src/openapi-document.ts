import { apiRoutes, METHOD_NOT_ALLOWED, NOT_FOUND, qrRoutes } from '@tillkit/http'
import type { Json, JsonObject, OpenApiDocument } from './document.ts'
import { inWords } from './in-words.ts'
import { checkOpenApiOptions, type DocumentedFeatures, type OpenApiOptions } from './options.ts'
import { pathsOf, withPaths } from './paths.ts'
import { headersOf, wholeResponse } from './responses.ts'
import { namedSchemas, refTo } from './schema.ts'
import { paymentWebhook, webhookSignature } from './webhook.ts'

const TAGS: Record<string, string> = {
  Payments: 'Each attempt to pay is a payment.',
  'Cash ups': 'A cash up ends a period. Each payment is in exactly one, the one in which it was started.',
  'QR codes': 'For customers, and for whoever prints or shows a code: they take no key.',
  Webhook: 'What your own server gets.',
}

const DESCRIPTION =
  'Lists the payments made on your QR codes, and ends periods with cash ups. Amounts are integers, in cents. A parameter that is ' +
  'not described is ignored, and so is the body of a request that is not described to have one. A slash at the end of a path ' +
  'changes nothing. Text is Unicode without NUL. Another method is 405 with `Allow`, and another path 404: `x-other-methods` and `x-other-paths` say how.'

/**
 * The whole API, the QR endpoints and the webhook as an OpenAPI 3.1 document, made from the table that serves them. It is a
 * new object each time, and yours to change. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { serverUrl, qrBaseUrl, title, features, routes, vocabulary } = checkOpenApiOptions(options)
  const api = withPaths(pathsOf(apiRoutes), pathsOf(routes, { vocabulary }))
  const others = wholeResponse(METHOD_NOT_ALLOWED)
  for (const item of Object.values(api)) item['x-other-methods'] = others
  const codes = pathsOf(qrRoutes, { prefix: '/qr' })
  for (const item of Object.values(codes))
    Object.assign(item, { servers: [{ url: qrBaseUrl }], 'x-other-methods': others })
  const tags = new Map(Object.entries(TAGS))
  for (const { tag, tagDescription } of routes) tags.set(tag, tags.get(tag) ?? tagDescription ?? tag)
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: DESCRIPTION,
      license: { name: 'As agreed with the provider', url: new URL(serverUrl).origin },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: [...tags].map(([name, description]) => ({ name, description })),
    paths: { ...api, ...codes },
    webhooks: { payment: paymentWebhook() },
    'x-other-paths': wholeResponse(NOT_FOUND),
    components: {
      schemas: namedSchemas(),
      headers: headersOf([...apiRoutes, ...qrRoutes, ...routes]),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description: 'The API key is the user name; the password is empty.',
        },
        webhookSignature,
      },
    },
  }
  const described = forFeatures(document, features)
  const worded = vocabulary === undefined ? described : inWords(described, vocabulary)
  return JSON.parse(JSON.stringify(worded))
}

const PAYMENT = refTo('Payment').$ref
const DEVICE_PAYMENT = refTo('DevicePayment').$ref

/** Where all accounts are alike, their lists have one form. */
function forFeatures(document: OpenApiDocument, { deviceLists }: DocumentedFeatures): OpenApiDocument {
  if (deviceLists === undefined) return document
  const form = refTo(deviceLists ? 'DevicePayment' : 'Payment')
  const one = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(one)
    if (part === null || typeof part !== 'object') return part
    const [a, b] = Array.isArray(part.anyOf) ? (part.anyOf as JsonObject[]) : []
    if (a?.$ref === PAYMENT && b?.$ref === DEVICE_PAYMENT) return form
    const { schema, example } = part as { schema?: JsonObject; example?: Json }
    const changed = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, one(inner)]))
    if (deviceLists && Array.isArray(example) && JSON.stringify(schema).includes(DEVICE_PAYMENT as string)) {
      changed.example = example.map(payment => withDevice(payment as JsonObject))
    }
    return changed
  }
  const changed = one(document) as OpenApiDocument
  if (!deviceLists) delete (changed.components.schemas as JsonObject).DevicePayment
  return changed
}

function withDevice({
  isVoucher: _,
  isVoucherRedemption: __,
  extra = {},
  ...payment
}: JsonObject): JsonObject {
  return { ...payment, deviceSerialNumber: 'SN-0042', transactionType: 'payment', extra }
}
