import type { Entry } from '../journal/entry.ts'
import type { Books } from './books.ts'
import type { KeptPayment } from './kept.ts'

/** One thing that must be true of the books; gives a sentence for each time that it is not. */
export type Rule = (books: Books) => Iterable<string>

/** Names a payment in a violation and in a map. */
export function nameOf(payment: { merchantId: string; id: number }): string {
  return `payment ${payment.merchantId}:${payment.id}`
}

export function paymentsByName({ payments }: Books): Map<string, KeptPayment> {
  return new Map(payments.map(payment => [nameOf(payment), payment]))
}

/** The entries of one kind. */
export function entriesOf<What extends Entry['what']>(
  { journal }: Books,
  ...whats: What[]
): Extract<Entry, { what: What }>[] {
  return journal.filter(({ what }) => (whats as string[]).includes(what)) as Extract<Entry, { what: What }>[]
}

/** Those that are there more than once, each once. */
export function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(names.filter(name => seen.size === seen.add(name).size))]
}
