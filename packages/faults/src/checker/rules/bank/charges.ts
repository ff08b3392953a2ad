import { entriesOf, nameOf, paymentsByName, type Rule, repeated } from '../../rule.ts'

/** What the bank's own journal says: each payment is charged once or not at all, and is completed only if it was. */
export const charges: Rule = function* (books) {
  const banked = entriesOf(books, 'charged', 'declined')
  if (banked.length === 0) return
  const charged = banked.filter(({ what }) => what === 'charged')
  const kept = paymentsByName(books)
  for (const name of repeated(charged.map(nameOf))) yield `${name} was charged twice`
  for (const name of repeated(banked.map(nameOf))) yield `the bank was asked twice for ${name}`
  for (const { totalAmount, ...key } of charged) {
    const payment = kept.get(nameOf(key))
    if (!payment) yield `${nameOf(key)} was charged and is not there`
    else if (payment.totalAmount !== totalAmount) {
      yield `${nameOf(key)} is of ${payment.totalAmount} cents and was charged ${totalAmount}`
    } else if (payment.status === 'error') yield `${nameOf(key)} was charged and is error`
  }
  const names = new Set(charged.map(nameOf))
  for (const payment of books.payments) {
    if (payment.status === 'completed' && !names.has(nameOf(payment))) {
      yield `${nameOf(payment)} is completed and was never charged`
    }
  }
}
