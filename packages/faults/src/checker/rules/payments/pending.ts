import { nameOf, type Rule } from '../../rule.ts'

/** At rest, no payment is pending and every period can be read. */
export const pending: Rule = function* ({ payments, told, atRest }) {
  if (!atRest) return
  for (const payment of payments) {
    if (payment.status === 'pending') yield `${nameOf(payment)} is still pending at the end`
  }
  for (const { merchantId, periods } of told) {
    for (const { reference, payments: listed } of periods) {
      if (listed === null) yield `period ${reference} of ${merchantId} is still not ready at the end`
    }
  }
}
