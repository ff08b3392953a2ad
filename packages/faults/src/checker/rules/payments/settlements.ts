import { entriesOf, nameOf, paymentsByName, type Rule } from '../../rule.ts'

/** What was acknowledged as settled has that statement reference, nothing has two, and only completed payments have one. */
export const settlements: Rule = function* (books) {
  const kept = paymentsByName(books)
  for (const { merchantId, statementReference, paymentIds } of entriesOf(books, 'settled')) {
    for (const id of paymentIds) {
      const name = nameOf({ merchantId, id })
      const found = kept.get(name)?.statementReference
      if (found !== statementReference) {
        yield `${name} was acknowledged as settled under ${statementReference} and is under ${found}`
      }
    }
  }
  for (const payment of books.payments) {
    if (payment.statementReference !== null && payment.status !== 'completed') {
      yield `${nameOf(payment)} is ${payment.status} and settled under ${payment.statementReference}`
    }
  }
}
