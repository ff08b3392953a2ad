import { TillError, type Vocabulary, validate, vocabulary } from '@tillkit/domain'
import type { RouteDescription } from '@tillkit/http'
import { z } from 'zod'

/** What `openApiDocument` takes. */
export interface OpenApiOptions {
  /** The base address of the API, with its version: `https://pay.example.com/v1`. */
  serverUrl: string
  /** The address whose path `/qr` the QR codes are at; the origin of `serverUrl` when left out. */
  qrBaseUrl?: string | undefined
  /** The name of the API: `Payments API` when left out. */
  title?: string | undefined
  /** What the accounts that it is for have. */
  features?: DocumentedFeatures | undefined
  /** Other words for names, as `merchantApi`, `qrEndpoints` and the till's `webhooks` have them. */
  vocabulary?: Vocabulary | undefined
  /**
   * Further routes at `serverUrl`, as `@tillkit/http` describes its own and `keyedApi` serves them, `sandboxRoutes` for
   * example. One of the same method and path as a route of the API stands in its place.
   */
  routes?: readonly RouteDescription[] | undefined
}

/** Of the features of accounts, those that change the form of an answer. */
export interface DocumentedFeatures {
  /** Whether lists show devices in place of vouchers. Left out, some accounts' do, and both forms are described. */
  deviceLists?: boolean | undefined
}

const address = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value) && !/[?#]/.test(value)

const url = z.custom<string>(address, 'must be an http or https address without a query')

const openApiOptions = z.strictObject({
  serverUrl: url,
  qrBaseUrl: url.optional(),
  title: z.string().min(1, 'must not be empty').optional(),
  features: z.strictObject({ deviceLists: z.boolean().optional() }).optional(),
  vocabulary: vocabulary.optional(),
  routes: z
    .custom<readonly RouteDescription[]>(
      value => Array.isArray(value) && value.every(route => typeof route?.operationId === 'string'),
      'must be a list of routes',
    )
    .optional(),
})

/** Checks all that `openApiDocument` is given, and fills in what was left out. Throws `invalid_input` naming what is wrong. */
export function checkOpenApiOptions(options: OpenApiOptions) {
  const checked = validate(openApiOptions, options, 'the options of openApiDocument')
  const serverUrl = checked.serverUrl.replace(/\/+$/, '')
  const qrBaseUrl = (checked.qrBaseUrl ?? new URL(serverUrl).origin).replace(/\/+$/, '')
  if (checked.vocabulary?.qr === undefined && qrBaseUrl.endsWith('/qr'))
    throw new TillError('invalid_input', 'qrBaseUrl must not end in /qr')
  const { title = 'Payments API', features = {}, routes = [] } = checked
  return { serverUrl, qrBaseUrl, title, features, routes, vocabulary: checked.vocabulary }
}
