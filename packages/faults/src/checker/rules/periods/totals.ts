import { nameOf, type Rule } from '../../rule.ts'

const STATUSES = ['pending', 'completed', 'error'] as const

/** What the till lists and counts is what is in its tables. */
export const totals: Rule = function* ({ payments, cashUps, told }) {
  for (const { merchantId, payments: listed, total, byStatus, cashUps: toldCashUps } of told) {
    const own = payments.filter(payment => payment.merchantId === merchantId)
    if (total !== own.length) yield `${merchantId} has the total ${total} and ${own.length} payments`
    for (const status of STATUSES) {
      const count = own.filter(payment => payment.status === status).length
      if (byStatus[status] !== count) {
        yield `${merchantId} has the total ${byStatus[status]} of ${status} and ${count} payments`
      }
    }
    const ended = cashUps.filter(cashUp => cashUp.merchantId === merchantId).length
    if (toldCashUps !== ended)
      yield `${merchantId} has the total ${toldCashUps} of cash ups and ${ended} of them`

    const rows = new Map(own.map(payment => [payment.id, payment]))
    for (const payment of listed) {
      const row = rows.get(payment.id)
      if (!row || row.status !== payment.status || row.totalAmount !== payment.totalAmount) {
        yield `${nameOf(payment)} is listed otherwise than it is kept`
      }
      rows.delete(payment.id)
    }
    for (const row of rows.values()) yield `${nameOf(row)} is not in the list`
  }
}
