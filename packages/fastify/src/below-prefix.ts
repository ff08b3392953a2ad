/**
 * What is left of a raw path below a prefix. Segments are counted, not characters: the router decodes a path before it
 * matches, and a prefix may have parameters, so that the raw path need not begin with the prefix.
 */
export function belowPrefix(path: string, prefix: string): string {
  let start = 0
  for (const segment of prefix.split('/')) {
    if (segment === '') continue
    start = path.indexOf('/', start + 1)
    if (start < 0) return '/'
  }
  return path.slice(start)
}
