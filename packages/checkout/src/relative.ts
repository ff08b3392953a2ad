/** A path relative to the page's, with the query that the page was asked for. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${asciiQuery(query)}`
}

/** A raw query fit for an address. Adapters hand on what came over the wire, which is not always ASCII. */
function asciiQuery(query: string): string {
  return query.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}
