import { z } from 'zod'

/** The longest reference, in characters (Unicode code points). */
export const MAX_REFERENCE_LENGTH = 255

/** True for a string of at most `max` characters that every database can hold: no NUL, no half surrogate pair. */
export function isText(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}

/** A reference: any text of up to 255 characters, but NUL. */
export const reference = z
  .custom<string>(
    value => isText(value, MAX_REFERENCE_LENGTH),
    `must be text of at most ${MAX_REFERENCE_LENGTH} characters without NUL`,
  )
  .meta({ type: 'string', maxLength: MAX_REFERENCE_LENGTH })

/** A reference that may not be empty, such as a key or a name. */
export const nonEmptyReference = z
  .custom<string>(
    value => value !== '' && isText(value, MAX_REFERENCE_LENGTH),
    `must be text of 1 to ${MAX_REFERENCE_LENGTH} characters without NUL`,
  )
  .meta({ type: 'string', minLength: 1, maxLength: MAX_REFERENCE_LENGTH })

/** The first half of a surrogate pair whose second half is gone. */
const HALF_AT_END = /[\uD800-\uDBFF]$/

/** What somebody called something, for a message: it may be of any length, and a message is to be read. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).replace(HALF_AT_END, '')}…` : text
}
