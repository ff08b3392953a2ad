import { cashUpSchema, devicePaymentObjectSchema, paymentObjectSchema } from '@tillkit/domain'
import { errorObjectSchema } from '@tillkit/http'
import { z } from 'zod'
import type { Json, JsonObject } from './document.ts'

/** The schemas that have a name in the document. */
const NAMED = new Map<z.core.$ZodType, string>([
  [paymentObjectSchema, 'Payment'],
  [devicePaymentObjectSchema, 'DevicePayment'],
  [cashUpSchema, 'CashUp'],
  [errorObjectSchema, 'Error'],
])

/** A reference to a schema that has a name. */
export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** A zod schema as JSON Schema 2020-12: `output` is what a parameter means, `input` what a body holds. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const name = NAMED.get(schema)
  return name === undefined ? definition(schema, io) : refTo(name)
}

function definition(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const name = (zodSchema as z.core.$ZodType) === schema ? undefined : NAMED.get(zodSchema)
      if (name === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
      Object.assign(jsonSchema, refTo(name))
    },
  })
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(made))
  return nullsInTypes(plain) as JsonObject
}

/** All schemas that have a name, by it. */
export function namedSchemas(): Record<string, JsonObject> {
  return Object.fromEntries(
    [...NAMED].map(([schema, name]) => [name, definition(schema as z.ZodType, 'input')]),
  )
}

/** `anyOf` of one type and null as one type or null, which tools show as what it is. */
function nullsInTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(nullsInTypes)
  if (value === null || typeof value !== 'object') return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, nullsInTypes(part)]))
  const { anyOf, ...others } = inner
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return inner
  const [one, nothing] = anyOf as [JsonObject, JsonObject]
  if (nothing.type !== 'null' || typeof one.type !== 'string') return inner
  return { ...one, type: [one.type, 'null'], ...others }
}
