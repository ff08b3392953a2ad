import type { Books, Told } from '../../../src/checker/books.ts'
import type { Entry } from '../../../src/journal/entry.ts'

/** How a finished run is broken: statements are of its rows, a change is of everything else. */
export interface Break {
  sql?: string
  change?: (books: Books) => void
}

/** By rule: each way to break a run, and what the rule then says. */
export type Breaks = Record<string, [how: string, broken: Break, found: RegExp][]>

/** The last entry of a kind, to be changed. */
export function last<What extends Entry['what']>(books: Books, what: What): Extract<Entry, { what: What }> {
  const found = books.journal.findLast(entry => entry.what === what)
  if (!found) throw new Error(`the run has no ${what}`)
  return found as Extract<Entry, { what: What }>
}

export function toldShop(books: Books): Told {
  const [told] = books.told
  if (!told) throw new Error('there is no merchant')
  return told
}
