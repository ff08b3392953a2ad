import { MAX_REFERENCE_LENGTH } from '../values/text.ts'

/** Of a reason of any length no more than this is looked at. */
const MOST_READ = 4096

/** A reason as it is kept, and whether that is all of what was given. */
export interface KeptFailure {
  /** At most 255 characters; null where there is nothing to keep. */
  failure: string | null
  /** False where something was cut or left out. */
  whole: boolean
}

/**
 * What is kept of a processor's reason, whatever it is: an outcome is never refused for it. Text is cut to 255 characters
 * (Unicode code points), its NULs are left out, half a surrogate pair becomes U+FFFD. Of numbers and booleans it is their
 * text; anything else is left out. Never throws.
 */
export function keptFailure(value: unknown): KeptFailure {
  if (value === undefined || value === null) return { failure: null, whole: true }
  if (typeof value === 'string') return keptText(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return keptText(String(value))
  return { failure: null, whole: false }
}

function keptText(text: string): KeptFailure {
  let failure = ''
  let length = 0
  for (const character of text.slice(0, MOST_READ)) {
    if (character === '\0') continue
    if (length === MAX_REFERENCE_LENGTH) break
    failure += character
    length += 1
  }
  failure = failure.toWellFormed()
  return { failure, whole: failure === text }
}
