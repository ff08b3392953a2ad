import type { MerchantPage, Page, WholePage } from './page.ts'

/** The page at a path, and what stands in the path. */
export type Found =
  | {
      /** A page of no one merchant. */
      page: WholePage
      /** Null: it is of none. */
      merchantId: null
      /** What stands where the page's path has braces. */
      parameter: string
      /** The path with names in the place of values. */
      route: string
    }
  | {
      /** A page of one merchant. */
      page: MerchantPage
      /** Whose. */
      merchantId: string
      /** What stands where the page's path has braces. */
      parameter: string
      /** The path with names in the place of values. */
      route: string
    }

const OF_MERCHANT = /^\/m-([^/]+)(\/.*)$/

/** Finds pages by path. */
export function pageFinder(pages: readonly Page[]): (path: string) => Found | null {
  const whole = pages
    .filter(page => 'path' in page)
    .map(page => ({ page, pattern: patternOf(page.path), route: page.path }))
  const ofMerchants = pages
    .filter(page => 'ofMerchant' in page)
    .map(page => ({
      page,
      pattern: patternOf(page.ofMerchant),
      route: `/m-{merchantId}${page.ofMerchant}`,
    }))

  return path => {
    const [, id, below] = OF_MERCHANT.exec(path) ?? []
    if (id !== undefined && below !== undefined) {
      const merchantId = decoded(id)
      for (const { page, pattern, route } of ofMerchants) {
        const match = pattern.exec(below)
        if (match) return { page, merchantId, parameter: decoded(match[1] ?? ''), route }
      }
      return null
    }
    for (const { page, pattern, route } of whole) {
      const match = pattern.exec(path)
      if (match) return { page, merchantId: null, parameter: decoded(match[1] ?? ''), route }
    }
    return null
  }
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)')
  return new RegExp(`^${literal}/?$`)
}

/** A path that cannot be decoded is nobody's. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
