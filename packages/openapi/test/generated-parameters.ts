import type { JsonObject } from '@tillkit/openapi'
import fc from 'fast-check'

/** A parameter as the document describes it. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: JsonObject
}

/** A value that the schema of a parameter takes. */
export function valid({ name, schema }: Parameter, known: Record<string, string>): fc.Arbitrary<string> {
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
export function wrong({ schema }: Parameter): fc.Arbitrary<string> | null {
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
