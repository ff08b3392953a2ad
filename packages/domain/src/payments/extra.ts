import { z } from 'zod'
import { holdsProperties } from '../values/properties.ts'
import { isText } from '../values/text.ts'

/** The extra parameters of a payment URL, name to value (API 2.1). */
export type Extra = Record<string, string>

/** The most names that `extra` may have. */
export const MAX_EXTRA_NAMES = 50
/** The most bytes of UTF-8 that all names and values of `extra` may have together: 8 KiB. */
export const MAX_EXTRA_BYTES = 8 * 1024

const bytes = new TextEncoder()

function isExtra(value: unknown): value is Extra {
  if (!holdsProperties(value)) return false
  const entries = Object.entries(value)
  if (entries.length > MAX_EXTRA_NAMES) return false
  let size = 0
  for (const [name, text] of entries) {
    if (!isText(name, MAX_EXTRA_BYTES) || !isText(text, MAX_EXTRA_BYTES)) return false
    size += bytes.encode(name).length + bytes.encode(text).length
  }
  return size <= MAX_EXTRA_BYTES
}

/** Up to 50 names and 8 KiB of UTF-8 in all. `Object.fromEntries` copies a name like `__proto__` without harm. */
export const extra = z
  .custom<Extra>(
    isExtra,
    `must map up to ${MAX_EXTRA_NAMES} names to text without NUL, ${MAX_EXTRA_BYTES} bytes in all`,
  )
  .transform(value => Object.fromEntries(Object.entries(value)) as Extra)
  .meta({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_EXTRA_NAMES })
