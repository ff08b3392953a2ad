/** One `name=value` of a raw query: as it was, and decoded. */
export interface QueryPair {
  raw: string
  name: string
  value: string
}

/**
 * The pairs of a raw query (without its `?`), decoded as the WHATWG form decoder does it: `+` is a space, malformed percent
 * encoding stays text or becomes U+FFFD, empty pairs are skipped.
 */
export function queryPairs(query: string): QueryPair[] {
  return query
    .split('&')
    .filter(raw => raw !== '')
    .map(decodePair)
}

function decodePair(raw: string): QueryPair {
  // The decoder drops one leading `?`; a second one belongs to the name.
  const [[name, value] = ['', '']] = new URLSearchParams(`?${raw}`)
  return { raw, name, value }
}

/** Whether decoding put something else in the place of bytes that are no UTF-8: values that differ in them would be one. */
export function isMangled({ raw, value }: QueryPair): boolean {
  return value.includes('\uFFFD') && countOf(value, /\uFFFD/g) > countOf(raw, /\uFFFD|%EF%BF%BD/gi)
}

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0
