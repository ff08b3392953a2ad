import { entriesOf, nameOf, paymentsByName, type Rule } from '../../rule.ts'

const FIELDS = ['date', 'totalAmount', 'merchantReference', 'strict'] as const

/** A payment whose start was acknowledged is there, as it was acknowledged. */
export const starts: Rule = function* (books) {
  const kept = paymentsByName(books)
  for (const { attempt, payment } of entriesOf(books, 'started')) {
    const name = nameOf(payment)
    const found = kept.get(name)
    if (!found) {
      yield `${name} was acknowledged and is not there`
      continue
    }
    for (const field of FIELDS) {
      if (found[field] !== payment[field]) {
        yield `${name} was acknowledged with ${field} ${payment[field]} and has ${found[field]}`
      }
    }
    if (found.extra.attempt !== attempt)
      yield `${name} was acknowledged to ${attempt} and is ${found.extra.attempt}'s`
  }
}
