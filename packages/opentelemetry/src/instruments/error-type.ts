/** Of what a metric may say of an error: a code or a name, of which there are few, and never a text. */
const FIT = /^[A-Za-z][A-Za-z0-9_.]{0,63}$|^[A-Z0-9]{5}$/

/**
 * What `error.type` says: the code of the database or of Node, the code of a `TillError`, or the name of the error. Its cause
 * comes first, where it is a fault of the storage's that was put into words.
 */
export function errorType(error: unknown): string {
  const { cause, code, name } = (error ?? {}) as { cause?: unknown; code?: unknown; name?: unknown }
  const inner = (cause ?? {}) as { code?: unknown }
  for (const word of [inner.code, code, name]) if (typeof word === 'string' && FIT.test(word)) return word
  return '_OTHER'
}
