import { TillError } from '@tillkit/domain'
import type { z } from 'zod'

/**
 * Reads the parameters that `schema` knows from a raw query, form-decoded; others are ignored. Throws `TillError`
 * `invalid_input` naming the parameter that is invalid, empty, or given twice (API 4.2).
 */
export function readQuery<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, query: string) {
  const result = schema.safeParse(query === '' ? {} : known(schema.shape, query))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw notValid(String(issue?.path[0]), issue?.message ?? '')
}

function known(shape: z.ZodRawShape, query: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const pair of query.split('&')) {
    const [name, value] = decoded(pair)
    if (!Object.hasOwn(shape, name)) continue
    if (Object.hasOwn(values, name)) throw notValid(name, 'must be given only once')
    if (value === '') throw notValid(name, 'must not be empty')
    if (value.includes('\0')) throw notValid(name, 'must not contain NUL')
    values[name] = value
  }
  return values
}

function decoded(pair: string): [name: string, value: string] {
  if (NEEDS_DECODING.test(pair)) {
    // The decoder drops one leading `?`; a second one belongs to the name.
    const [entry] = new URLSearchParams(`?${pair}`)
    return entry ?? ['', '']
  }
  const equals = pair.indexOf('=')
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
}

/** Anything but printable ASCII, and `%` and `+`. */
const NEEDS_DECODING = /[^!-~]|[%+]/

function notValid(name: string, problem: string): TillError {
  return new TillError('invalid_input', `${name} is not valid: it ${problem}`)
}
