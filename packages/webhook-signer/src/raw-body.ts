/** Throws a TypeError that says what was given in place of the raw body: a parsed one, most often. */
export function checkRawBody(rawBody: unknown): asserts rawBody is string | Uint8Array {
  if (typeof rawBody === 'string' || isBytes(rawBody)) return
  throw new TypeError(
    `rawBody must be the body exactly as received, a string or a Uint8Array, but is ${nameOf(rawBody)}`,
  )
}

/** Bytes of any realm: in a test runner's sandbox a Buffer is no `instanceof Uint8Array`. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array'
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'undefined: no body was read, or no parser is for its type'
  if (value === null) return 'null'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (value instanceof Promise) return 'a promise: await it'
  if (value instanceof ArrayBuffer) return 'an ArrayBuffer: pass new Uint8Array(rawBody)'
  return 'an object: a parser had it before'
}
