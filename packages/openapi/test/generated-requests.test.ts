import type { JsonObject } from '@tillkit/openapi'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { complaintsBy } from './documented.ts'
import { openServer } from './serving.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: JsonObject
}

interface Operation {
  path: string
  method: string
  parameters: Parameter[]
  open: boolean
}

/** A value that the schema of a parameter takes. */
function valid({ name, schema }: Parameter, known: Record<string, string>): fc.Arbitrary<string> {
  const { type, minimum, maximum, items, format, pattern } = schema
  if (known[name] !== undefined) return fc.constant(known[name])
  if (type === 'integer')
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 1e6) }).map(String)
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  if (type === 'array')
    return fc.subarray((items as JsonObject).enum as string[], { minLength: 1 }).map(list => list.join(','))
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2999-01-01'), noInvalidDate: true })
      .map(date => date.toISOString())
  }
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter(value => !value.includes('\0') && value.isWellFormed())
  return pattern === undefined || String(pattern).startsWith('^[^')
    ? text
    : fc.stringMatching(new RegExp(String(pattern)))
}

/** A value that it does not take; null where it takes any. */
function wrong({ schema }: Parameter): fc.Arbitrary<string> | null {
  const { type, minimum, maximum, format, minLength } = schema
  if (type === 'integer') {
    const above =
      Number(maximum) < Number.MAX_SAFE_INTEGER ? [String(Number(maximum) + 1)] : ['9007199254740992']
    return fc.constantFrom(
      ...above,
      ...(Number(minimum) > 0 ? [String(Number(minimum) - 1)] : []),
      '-1',
      '1.5',
      'x',
      '',
    )
  }
  if (type === 'array') return fc.constantFrom('settled', 'completed,settled', '')
  if (type === 'boolean') return fc.constantFrom('yes', '1')
  if (format === 'date-time') return fc.constantFrom('yesterday', '2026-11-20', '')
  return minLength === undefined ? null : fc.constant('')
}

describe.each([{}, { deviceLists: true }])('an account with %j', async features => {
  const { origin, document, apiKey, reference, close } = await openServer(features)
  afterAll(close)
  const complaintsOf = complaintsBy(document)
  const known = { reference, scanCode: 'counter', scan_code_signature: 'x', scan_code_expires: '1' }
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'head', 'post']
      .filter(method => item[method])
      .map(method => {
        const { parameters, security } = item[method] as JsonObject
        const usual = (parameters as unknown as Parameter[]).filter(({ name }) => name !== 'others')
        return { path, method: method.toUpperCase(), parameters: usual, open: security !== undefined }
      }),
  )

  async function send(
    { path, method, open }: Operation,
    values: Map<Parameter, string>,
    key: string | null = apiKey,
  ) {
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
    const response = await fetch(address, { method, headers })
    const body = Buffer.from(await response.arrayBuffer())
    const sent = Object.fromEntries(response.headers)
    const complaints = complaintsOf({ method, path: target, status: response.status, headers: sent, body })
    return { status: response.status, complaints, address }
  }

  const valuesOf = (operation: Operation) =>
    fc
      .tuple(
        ...operation.parameters.map(parameter =>
          fc.option(valid(parameter, known), { nil: undefined, freq: 1 }),
        ),
      )
      .map(
        values =>
          new Map(
            operation.parameters
              .map((parameter, i): [Parameter, string | undefined] => [
                parameter,
                values[i] ??
                  (parameter.in === 'path' ? (known[parameter.name as 'reference'] ?? '2') : undefined),
              ])
              .filter((entry): entry is [Parameter, string] => entry[1] !== undefined),
          ),
      )

  test.each(operations)(
    '$method $path: valid requests are taken, and answered as documented',
    async operation => {
      await fc.assert(
        fc.asyncProperty(valuesOf(operation), async values => {
          const { status, complaints, address } = await send(operation, values)
          expect({ address, complaints }).toEqual({ address, complaints: [] })
          // An id that the merchant does not have, an image without room for its code, a tag of an image.
          expect(
            operation.open ? [200, 304, 400] : operation.path.includes('{id}') ? [200, 404] : [200],
          ).toContain(status)
        }),
        { numRuns: 25 },
      )
    },
  )

  const breakable = operations.flatMap(operation =>
    operation.parameters
      .filter(parameter => parameter.in === 'query' && wrong(parameter) !== null)
      .map(parameter => ({ ...operation, operation, parameter, name: parameter.name })),
  )

  test.each(breakable)(
    '$method $path with one thing wrong, $name, is 400 as documented',
    async ({ operation, parameter }) => {
      await fc.assert(
        fc.asyncProperty(
          valuesOf(operation),
          wrong(parameter) as fc.Arbitrary<string>,
          async (values, value) => {
            const { status, complaints, address } = await send(
              operation,
              new Map([...values, [parameter, value]]),
            )
            expect({ address, status, complaints }).toEqual({ address, status: 400, complaints: [] })
          },
        ),
        { numRuns: 8 },
      )
    },
  )

  test.each(operations.filter(({ open }) => !open))(
    '$method $path without a good key is 401 as documented',
    async operation => {
      await fc.assert(
        fc.asyncProperty(valuesOf(operation), fc.constantFrom(null, 'tk_wrong', ''), async (values, key) => {
          const { status, complaints } = await send(operation, values, key)
          expect({ status, complaints }).toEqual({ status: 401, complaints: [] })
        }),
        { numRuns: 5 },
      )
    },
  )
})
