import { isNativeError } from 'node:util/types'

/** Data that JSON can hold. */
export type Plain = string | number | boolean | null | Plain[] | { [name: string]: Plain }

const DEEPEST = 4
const MOST_ENTRIES = 20
const LONGEST_TEXT = 2000

/**
 * Whatever was put into a log line, as data: never throws, bounded in size. An error is its message with its code and
 * what caused it; bytes are told by their number, so that no key is shown by accident.
 */
export function plain(value: unknown, above: readonly object[] = []): Plain {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return short(value)
  if (typeof value !== 'object') return short(typeof value === 'function' ? 'a function' : String(value))
  if (above.includes(value)) return '(circular)'
  if (above.length === DEEPEST) return '(more)'
  try {
    return plainObject(value, [...above, value])
  } catch {
    return '(unreadable)'
  }
}

function plainObject(value: object, above: readonly object[]): Plain {
  if (isError(value)) return short(errorText(value, DEEPEST))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return short(value.origin + value.pathname)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(item => plain(item, above))
  const entries = Object.keys(value)
    .slice(0, MOST_ENTRIES)
    .map(name => [short(name), entry(value, name, above)] as const)
    .filter((pair): pair is [string, Plain] => pair[1] !== undefined)
  return Object.fromEntries(entries)
}

/** One property, which may be a getter that throws: the others are shown all the same. */
function entry(value: object, name: string, above: readonly object[]): Plain | undefined {
  try {
    const found = (value as Record<string, unknown>)[name]
    return found === undefined ? undefined : plain(found, above)
  } catch {
    return '(unreadable)'
  }
}

/** Another realm's errors are errors too. */
function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value)
}

function errorText(error: Error, deepest: number): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const [first] = error instanceof AggregateError ? error.errors : []
  const message = String(error.message || (isError(first) && first.message) || error.name)
  const text = typeof code === 'string' || typeof code === 'number' ? `${message} (${code})` : message
  if (cause === undefined || cause === null || deepest === 0) return text
  return `${text}; cause: ${isError(cause) ? errorText(cause, deepest - 1) : JSON.stringify(plain(cause))}`
}

function short(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}
