import type { Merchant, Till } from '@tillkit/till'
import type { Visitor } from '../../operator/operator.ts'
import { PER_PAGE } from '../../show/pager.ts'

/** Merchants that were found, and where to look on. */
export interface FoundMerchants {
  /** At most a page of them, by id. */
  items: Merchant[]
  /** The id to go on after; null where that was all. */
  after: string | null
  /** Whether there may be more that were not looked at. */
  partly: boolean
}

/** How many merchants are looked at for a word in their names before it is asked whether to look on. */
const LOOKED_AT = 5000
const AT_ONCE = 500

/** A page of the merchants that one may see, all or those whose id or name has a word in it. */
export function findMerchants(
  till: Till,
  visitor: Visitor,
  word: string,
  after: string,
): Promise<FoundMerchants> {
  return visitor.merchants === null
    ? amongAll(till, word.toLowerCase(), after)
    : among(till, visitor.merchants, word.toLowerCase(), after)
}

async function amongAll(till: Till, word: string, after: string): Promise<FoundMerchants> {
  const items: Merchant[] = []
  let last = after
  for (let looked = 0; looked < LOOKED_AT; looked += AT_ONCE) {
    const limit = word === '' ? PER_PAGE + 1 : AT_ONCE
    const next = await till.merchants.list({ ...(last && { after: last }), limit })
    for (const merchant of next) {
      if (!matches(merchant, word)) continue
      if (items.length === PER_PAGE) return { items, after: items.at(-1)?.id ?? null, partly: false }
      items.push(merchant)
    }
    last = next.at(-1)?.id ?? last
    if (next.length < limit) return { items, after: null, partly: false }
  }
  return { items, after: last, partly: true }
}

async function among(
  till: Till,
  ids: readonly string[],
  word: string,
  after: string,
): Promise<FoundMerchants> {
  const rest = ids.filter(id => id > after)
  const items: Merchant[] = []
  for (const id of rest) {
    const merchant = await till.merchants.get(id)
    if (merchant === null || !matches(merchant, word)) continue
    if (items.length === PER_PAGE) return { items, after: items.at(-1)?.id ?? null, partly: false }
    items.push(merchant)
  }
  return { items, after: null, partly: false }
}

function matches({ id, name }: Merchant, word: string): boolean {
  return word === '' || id.toLowerCase().includes(word) || name.toLowerCase().includes(word)
}
