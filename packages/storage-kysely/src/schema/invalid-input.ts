import { TillError } from '@tillkit/domain'

/** Refuses what a caller gave. `message` names what is wrong. */
export function refuse(message: string): never {
  throw new TillError('invalid_input', message)
}

/** What `read` makes of what `call` was given. Throws `TillError` where a getter or a proxy of that throws. */
export function readGiven<Read>(call: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof TillError) throw error
    refuse(`what ${call} is given cannot be read`)
  }
}

/**
 * Throws `TillError` where `given` is no object with some of `known` and nothing else, lest a mistyped name be passed
 * over. `call` is what it is an argument of.
 */
export function assertOptions(given: unknown, call: string, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    refuse(`${call} takes an object with ${listed(known)}, not ${kindOf(given)}`)
  }
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) refuse(`${unknown} is not an option of ${call}, which takes ${listed(known)}`)
}

const listed = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

/** What a value is, in words that do not hold it. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
