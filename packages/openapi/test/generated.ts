import type { JsonObject, OpenApiDocument } from '@tillkit/openapi'
import fc from 'fast-check'
import { complaintsBy } from './documented.ts'
import { type Parameter, valid } from './generated-parameters.ts'

/** An operation of a document, as a request is made of it. */
export interface Operation {
  path: string
  method: string
  parameters: Parameter[]
  /** Whether it takes no key. */
  open: boolean
  /** Of its JSON body; null where it has none. */
  body: JsonObject | null
  /** Whether the body may not be left out. */
  bodyRequired: boolean
}

/** What is sent beside the parameters. */
interface Sent {
  key: string | null
  /** As it is sent. */
  body?: string | undefined
}

/** Every operation of a document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'head', 'post']
      .filter(method => item[method])
      .map(method => {
        const { parameters, security, requestBody } = Object(item[method])
        const usual = (parameters as Parameter[]).filter(({ name }) => name !== 'others')
        const open = security !== undefined
        const body = requestBody?.content['application/json'].schema ?? null
        const bodyRequired = requestBody?.required === true
        return { path, method: method.toUpperCase(), parameters: usual, open, body, bodyRequired }
      }),
  )
}

/** Values that an operation's parameters take; those in `known` are given by their names. */
export function valuesOf({ parameters }: Operation, known: Record<string, string>) {
  const values = parameters.map(parameter => fc.option(valid(parameter, known), { nil: undefined, freq: 1 }))
  return fc
    .tuple(...values)
    .map(
      values =>
        new Map(
          parameters
            .map((parameter, i): [Parameter, string | undefined] => [
              parameter,
              values[i] ?? (parameter.in === 'path' ? (known[parameter.name] ?? '2') : undefined),
            ])
            .filter((entry): entry is [Parameter, string] => entry[1] !== undefined),
        ),
    )
}

/** Sends requests to the server of a document, and says what of each answer the document does not. */
export function senderTo(origin: string, document: OpenApiDocument) {
  const complaintsOf = complaintsBy(document)
  return async ({ path, method, open }: Operation, values: Map<Parameter, string>, { key, body }: Sent) => {
    let target = path
    const query: string[] = []
    const headers: Record<string, string> =
      open || key === null ? {} : { Authorization: `Basic ${btoa(`${key}:`)}` }
    for (const [{ name, in: where }, value] of values) {
      if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
      else if (where === 'query') query.push(`${name}=${encodeURIComponent(value)}`)
      else headers[name] = encodeURIComponent(value)
    }
    const address = `${origin}${open ? '' : '/v1'}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`
    const response = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
    const answer = Buffer.from(await response.arrayBuffer())
    const sent = Object.fromEntries(response.headers)
    const complaints = complaintsOf({
      ...{ method, path: target, status: response.status, headers: sent },
      body: answer,
    })
    return { status: response.status, complaints, address }
  }
}
