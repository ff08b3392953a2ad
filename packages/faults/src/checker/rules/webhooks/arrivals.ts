import { entriesOf, nameOf, paymentsByName, type Rule } from '../../rule.ts'

/** What arrived was signed, said what is true, and was never of a pending payment; what is delivered did arrive. */
export const arrivals: Rule = function* (books) {
  const kept = paymentsByName(books)
  const taken = new Set<string>()
  for (const webhook of entriesOf(books, 'received')) {
    const name = nameOf(webhook)
    if (webhook.answered < 300) taken.add(name)
    if (!webhook.signed) yield `a webhook of ${name} had a wrong signature`
    const payment = kept.get(name)
    if (!payment) yield `a webhook told of ${name}, which is not there`
    else if (webhook.status === 'pending') yield `a webhook told of ${name} while it was pending`
    else if (payment.status !== webhook.status || payment.totalAmount !== webhook.totalAmount) {
      yield `a webhook told of ${name} as ${webhook.status}, ${webhook.totalAmount} cents; it is ${payment.status}, ${payment.totalAmount}`
    }
  }
  for (const { merchantId, paymentId, state } of books.deliveries) {
    const name = nameOf({ merchantId, id: paymentId })
    if (state === 'delivered' && !taken.has(name))
      yield `the webhook of ${name} is delivered and never arrived`
  }
}
