import { TillError } from '@tillkit/domain'

const NOUNS = { string: 'a string', number: 'an integer' }

/**
 * Throws `invalid_input` where something is not even of the type that it must be: a text for a number would otherwise be a
 * record that nobody finds.
 */
export function assertType(type: keyof typeof NOUNS, value: unknown, name: string): void {
  if (typeof value !== type) throw new TillError('invalid_input', `${name} must be ${NOUNS[type]}`)
}
