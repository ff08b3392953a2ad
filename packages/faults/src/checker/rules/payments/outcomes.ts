import type { PaymentStatus } from '@tillkit/domain'
import { entriesOf, nameOf, paymentsByName, type Rule } from '../../rule.ts'

/** An outcome that was acknowledged stands, and one that was refused for the other outcome found the other one. */
export const outcomes: Rule = function* (books) {
  const kept = paymentsByName(books)
  const said = [
    ...entriesOf(books, 'resolved').map(({ payment }) => payment),
    ...entriesOf(books, 'started').flatMap(({ payment }) => (payment.status === 'error' ? [payment] : [])),
  ].map(payment => ({ ...payment, what: 'acknowledged' }))
  const other: Record<string, PaymentStatus> = { completed: 'error', error: 'completed' }
  const refused = entriesOf(books, 'conflict').map(({ wanted, ...key }) => ({
    ...{ ...key, status: other[wanted], failure: undefined, what: 'said to be' },
  }))
  for (const { what, status, failure, ...key } of [...said, ...refused]) {
    const found = kept.get(nameOf(key))
    if (!found) yield `${nameOf(key)} was ${what} ${status} and is not there`
    else if (found.status !== status) yield `${nameOf(key)} was ${what} ${status} and is ${found.status}`
    else if (failure !== undefined && found.failure !== failure) {
      yield `${nameOf(key)} was ${what} to have failed for another reason than it has`
    }
  }
}
