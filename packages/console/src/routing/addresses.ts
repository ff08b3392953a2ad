/** The path of a merchant's pages, below the mount: an id may be `..`, which alone would lead elsewhere. */
export function merchantPath(merchantId: string, below = ''): string {
  return `/m-${merchantId}${below}`
}

/** Where the mount is, from a page at `path` below it: relative, since nobody tells where that is. */
function rootFrom(path: string): string {
  const depth = path.split('/').length - 2
  return depth === 0 ? './' : '../'.repeat(depth)
}

/** `to` of a visit to `path`. */
export function linksFrom(path: string) {
  const root = rootFrom(path)
  return (target: string, query: Record<string, string | number | undefined> = {}): string => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== '') search.set(name, String(value))
    }
    return `${root}${target.slice(1)}${search.size > 0 ? `?${search}` : ''}`
  }
}
