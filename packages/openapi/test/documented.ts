import { type HttpHandler, type HttpRequest, type HttpResponse, inPieces } from '@tillkit/http'
import type { JsonObject, OpenApiDocument } from '@tillkit/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** What every server adds to an answer, which is none of the document's business. */
const TRANSPORT = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
])

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** An answer, as a document has something to say about it. */
interface Answered {
  method: string
  /** Below the server's address for the API, with `/qr` before it for the QR endpoints. */
  path: string
  status: number
  headers: Record<string, string>
  body: HttpResponse['body']
}

/** What of an answer is not in the document. */
export type Complaints = (answered: Answered) => string[]

/** Compares answers with a document, whose objects are taken to have no members beside those that it names. */
export function complaintsBy(document: OpenApiDocument): Complaints {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(closed(document) as JsonObject, 'document')
  const compiled = new Map<string, ValidateFunction>()
  const paths = Object.keys(document.paths)
    .sort((a, b) => literal(b) - literal(a))
    .map(path => ({ path, pattern: patternOf(path) }))

  function schemaAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, known)
    return known
  }

  /** Where the document says what this is answered with, or why it says nothing. */
  function placeOf({ method, path, status }: Answered): string | null {
    const segments = path.split('/')
    const given = segments.length > 2 && segments.at(-1) === '' ? segments.slice(0, -1) : segments
    const found = paths.find(({ pattern }) => pattern.test(given.map(decoded).join('/')))?.path
    if (found === undefined && status === 404) return '/x-other-paths'
    const known = found ?? (path.startsWith('/qr') ? '/qr/{scanCode}' : '/payments')
    const has = /^[A-Z]+$/.test(method) && Object.hasOwn(document.paths[known] ?? {}, method.toLowerCase())
    if (!has && status === 405) return `/paths/${escaped(known)}/x-other-methods`
    const of = has ? method.toLowerCase() : String(METHODS.find(name => document.paths[known]?.[name]))
    const place = `/paths/${escaped(known)}/${of}/responses/${status}`
    return at(document, place) === undefined ? null : place
  }

  return answered => {
    const { method, path, status, headers, body } = answered
    const where = `${method} ${path}: ${status}`
    const place = placeOf(answered)
    if (place === null) return [`${where} is not documented`]
    const response = at(document, place) as JsonObject
    return [
      ...headerComplaints(document, response, headers, ajv),
      ...bodyComplaints(place, response, method, headers, body, schemaAt),
    ].map(complaint => `${where}: ${complaint}`)
  }
}

function headerComplaints(
  document: OpenApiDocument,
  response: JsonObject,
  sent: Answered['headers'],
  ajv: Ajv2020,
) {
  const complaints: string[] = []
  const documented = (response.headers ?? {}) as Record<string, JsonObject>
  const values = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [name, header] of Object.entries(documented)) {
    const { required, schema } = (
      header.$ref ? at(document, String(header.$ref).slice(1)) : header
    ) as JsonObject
    const value = values.get(name.toLowerCase())
    values.delete(name.toLowerCase())
    if (value === undefined) {
      if (required) complaints.push(`${name} is missing`)
      continue
    }
    const typed = (schema as JsonObject).type === 'integer' && /^\d+$/.test(value) ? Number(value) : value
    if (!ajv.validate(schema as JsonObject, typed))
      complaints.push(`${name}: ${value} is ${ajv.errorsText()}`)
  }
  for (const name of values.keys()) if (!TRANSPORT.has(name)) complaints.push(`${name} is not documented`)
  return complaints
}

function bodyComplaints(
  place: string,
  response: JsonObject,
  method: string,
  headers: Answered['headers'],
  body: Answered['body'],
  schemaAt: (pointer: string) => ValidateFunction,
): string[] {
  const content = (response.content ?? {}) as Record<string, JsonObject>
  if (inPieces(body)) return ['it comes in pieces']
  if (body === null || body.length === 0) {
    return method === 'HEAD' || Object.keys(content).length === 0 ? [] : ['it has no body']
  }
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const mediaType = named.split(';')[0] as string
  const media = content[mediaType]
  if (media === undefined) return [`a body of ${mediaType} is not documented`]
  if (mediaType !== 'application/json') return []
  const value = JSON.parse(body.toString()) as { code?: string }
  const valid = schemaAt(`${place}/content/${escaped(mediaType)}/schema`)
  if (!valid(value)) return [`${body}: ${JSON.stringify(valid.errors)}`]
  const codes = Object.keys(media.examples ?? {})
  return codes.length > 0 && !codes.includes(String(value.code))
    ? [`the code ${value.code} is not documented`]
    : []
}

/** A handler whose answers are compared; what differs is pushed to `complaints`. */
export function comparing(
  handler: HttpHandler,
  prefix: '' | '/qr',
  complaintsOf: Complaints,
  complaints: string[],
): HttpHandler {
  return async (request: HttpRequest) => {
    const { method, path } = request
    const preflight = method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    const response: HttpResponse = await handler(request)
    // What browsers ask before a request, scripts and documents know nothing of.
    if (!preflight) complaints.push(...complaintsOf({ ...response, method, path: `${prefix}${path}` }))
    return response
  }
}

/** The same document with every described object closed, so that what it does not name is found. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]))
  const object = inner.type === 'object' && inner.properties && inner.additionalProperties === undefined
  return object ? { ...inner, additionalProperties: false } : inner
}

/** What a segment stands for; a slash in it ends none. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}

const literal = (path: string) => path.replace(/\{.*?\}/g, '').length

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{.*?\}/g, '[^/]+')}$`)

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

function at(document: JsonObject, pointer: string): unknown {
  const parts = pointer
    .slice(1)
    .split('/')
    .map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce<unknown>((value, part) => (value as JsonObject | undefined)?.[part], document)
}
