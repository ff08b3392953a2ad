/** Where a request goes, undecoded. */
export interface Target {
  /** Starts with `/`. */
  path: string
  /** What follows the first `?`; empty when there is nothing. */
  query: string
}

/**
 * Splits a request target into its raw path and query. Of an absolute URL, scheme and host are left out. Bytes that are no
 * ASCII, each of which Node's servers hand over as a character, become escapes: so they are read as UTF-8, as escapes are.
 */
export function splitTarget(given: string): Target {
  const target = NO_ASCII.test(given) ? given.replaceAll(BYTES, escaped) : given
  const start = target.charCodeAt(0) === SLASH ? 0 : authorityEnd(target)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target.slice(start) : target.slice(start, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) }
}

const SLASH = 47
const NO_ASCII = /[\x80-\xff]/
const BYTES = /[\x80-\xff]/g

const escaped = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`

function authorityEnd(target: string): number {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0].length ?? 0
}
