import { nameOf, paymentsByName, type Rule, repeated } from '../../rule.ts'

/** Each outcome has one delivery, and nothing else has one. At rest, all are delivered. */
export const deliveries: Rule = function* (books) {
  const kept = paymentsByName(books)
  const names = books.deliveries.map(({ merchantId, paymentId }) => nameOf({ merchantId, id: paymentId }))
  for (const name of repeated(names)) yield `${name} has two deliveries`
  for (const name of names) {
    const payment = kept.get(name)
    if (!payment) yield `${name} has a delivery and is not there`
    else if (payment.status === 'pending') yield `${name} is pending and has a delivery`
  }
  const delivered = new Set(names)
  for (const payment of books.payments) {
    if (payment.status !== 'pending' && !delivered.has(nameOf(payment))) {
      yield `${nameOf(payment)} is ${payment.status} and has no delivery`
    }
  }
  if (!books.atRest) return
  for (const { merchantId, paymentId, state } of books.deliveries) {
    if (state !== 'delivered')
      yield `the delivery of ${nameOf({ merchantId, id: paymentId })} is ${state} at the end`
  }
}
