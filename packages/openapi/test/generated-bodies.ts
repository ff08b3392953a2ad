import type { Json, JsonObject } from '@tillkit/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

const validates = (schema: JsonObject, value: unknown) => Boolean(ajv.compile(schema)(value))

/** Bodies that `schema` takes. A field in `known` has one of those values. */
export function validBody(schema: JsonObject, known: Record<string, Json[]>): fc.Arbitrary<JsonObject> {
  const takes = ajv.compile(schema)
  return valueIn(schema, known).filter(value => Boolean(takes(value))) as fc.Arbitrary<JsonObject>
}

function valueIn(schema: JsonObject, known: Record<string, Json[]>): fc.Arbitrary<unknown> {
  const { type, anyOf, enum: choices } = schema
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonObject[]).map(one => valueIn(one, known)))
  if (Array.isArray(choices)) return fc.constantFrom(...choices)
  return fc.oneof(...[type].flat().map(name => ofType(String(name), schema, known)))
}

function ofType(type: string, schema: JsonObject, known: Record<string, Json[]>): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: Number(schema.minimum), max: Number(schema.maximum) })
  if (type === 'string') return textOf(schema)
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const maxKeys = Number(schema.maxProperties)
    return fc.dictionary(plainText(10), valueIn(additionalProperties as JsonObject, known), { maxKeys })
  }
  const values = Object.entries(properties as Record<string, JsonObject>).map(([name, property]) => {
    const given = known[name]
    return [name, given ? fc.constantFrom(...given) : valueIn(property, known)] as const
  })
  const requiredKeys = required as string[]
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys })
}

/** Whatever the document calls text: without NUL. */
const plainText = (maxLength: number) =>
  fc
    .string({ unit: 'binary', maxLength })
    .filter(value => !value.includes('\0') && value.isWellFormed() && value !== '__proto__')

function textOf({ pattern, format, maxLength }: JsonObject): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(String(pattern)))
  if (format !== 'date-time') return plainText(Math.min(Number(maxLength ?? 100), 300))
  const range = { min: new Date('2026-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }
  return fc.date(range).map(date => date.toISOString())
}

const ODD: Json[] = [
  ...[null, true, 'true', 0, -1, 1.5, 1e300, 2 ** 53, 31_536_001, '', 'x y', 'yesterday', '\0'],
  ...['x'.repeat(41), 'x'.repeat(65), 'x'.repeat(256), [], {}, { a: 1 }, { times: 11 }, { delaySeconds: -1 }],
]

/** A body with one thing wrong by `schema`, and what it is: each value that a field does not take, and one field too many or too few. */
export function wrongBodies(schema: JsonObject): { what: string; change: (body: JsonObject) => unknown }[] {
  const properties = Object.entries(schema.properties as Record<string, JsonObject>)
  const changed = properties.flatMap(([name, property]) =>
    ODD.filter(value => !validates(property, value) && value !== '\0').map(value => ({
      what: `${name}: ${JSON.stringify(value)}`.slice(0, 60),
      change: (body: JsonObject) => ({ ...body, [name]: value }),
    })),
  )
  const missing = ((schema.required ?? []) as string[]).map(name => ({
    what: `no ${name}`,
    change: ({ [name]: _, ...body }: JsonObject) => body,
  }))
  const surplus = { what: 'surplus', change: (body: JsonObject) => ({ ...body, surplus: 1 }) }
  const odd = { what: 'a list', change: () => [] }
  return [...changed, ...missing, surplus, odd]
}
