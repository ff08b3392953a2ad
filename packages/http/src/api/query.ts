import { TillError, VOCABULARY, type VocabularyName } from '@tillkit/domain'
import type { z } from 'zod'

/**
 * Reads the parameters that `schema` knows from a raw query, form-decoded; others are ignored. Throws `TillError`
 * `invalid_input` naming the parameter that is invalid, empty, or given twice (API 4.2). Where `names` gives the parameters by
 * their words, they are read and named by those.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: string,
  names: Names | undefined,
) {
  const result = schema.safeParse(query === '' ? {} : known(schema.shape, query, names))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw notValid(wordIn(names, String(issue?.path[0])), issue?.message ?? '')
}

type Names = ReadonlyMap<string, VocabularyName>

function wordIn(names: Names | undefined, name: string): string {
  for (const [word, own] of names ?? []) if (own === name) return word
  return name
}

/** A name that has another word is unknown, and so ignored. */
function nameOf(names: Names, word: string): string | undefined {
  return names.get(word) ?? (LISTED.has(word) ? undefined : word)
}

const LISTED: ReadonlySet<string> = new Set(VOCABULARY.list)

function known(shape: z.ZodRawShape, query: string, names: Names | undefined): Record<string, string> {
  const values: Record<string, string> = {}
  for (const pair of query.split('&')) {
    const [word, value] = decoded(pair)
    const name = names === undefined ? word : nameOf(names, word)
    if (name === undefined || !Object.hasOwn(shape, name)) continue
    if (Object.hasOwn(values, name)) throw notValid(word, 'must be given only once')
    if (value === '') throw notValid(word, 'must not be empty')
    if (isMangled(value, pair)) throw notValid(word, 'must be UTF-8')
    if (value.includes('\0')) throw notValid(word, 'must not contain NUL')
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

/** Whether decoding put something else in the place of bytes that are no UTF-8: what is found by that was not asked for. */
function isMangled(value: string, pair: string): boolean {
  return value.includes('\uFFFD') && countOf(value, /\uFFFD/g) > countOf(pair, /\uFFFD|%EF%BF%BD/gi)
}

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0

function notValid(name: string, problem: string): TillError {
  return new TillError('invalid_input', `${name} is not valid: it ${problem}`)
}
