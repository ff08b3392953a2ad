import { entriesOf, nameOf, type Rule } from '../../rule.ts'

/** How many attempts of a delivery are kept. */
const KEPT = 20

/** The result of an attempt that a worker was told is written down is there. */
export const results: Rule = function* (books) {
  const kept = new Map(
    books.deliveries.map(one => [nameOf({ merchantId: one.merchantId, id: one.paymentId }), one]),
  )
  for (const { delivered, number, ...key } of entriesOf(books, 'result')) {
    const name = nameOf(key)
    const found = kept.get(name)
    if (!found) yield `attempt ${number} to deliver ${name} was recorded and the delivery is not there`
    else if (delivered && found.state !== 'delivered')
      yield `${name} was delivered and its delivery is ${found.state}`
    else if (found.attempts < number)
      yield `attempt ${number} to deliver ${name} was recorded and is not counted`
    else if (number > found.attempts - KEPT && !found.kept.includes(number)) {
      yield `attempt ${number} to deliver ${name} was recorded and is not kept`
    }
  }
}
