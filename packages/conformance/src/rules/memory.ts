import type { Rule } from '../session/rule.ts'
import { paymentsOf, shown } from './kinds.ts'

/** So many payments are remembered: later ones are held to what was seen of them before. */
const REMEMBERED = 5000

/** What two showings of a payment have in common, whichever list they stand in. */
const LASTING = [
  'date',
  'totalAmount',
  'tipAmount',
  'scanCode',
  'scanCodeReference',
  'userReference',
  'isVoucher',
  'isVoucherRedemption',
  'requiredAmount',
  'merchantReference',
  'authCode',
  'extra',
  'deviceSerialNumber',
]

/** API 3: a payment is the same wherever it is shown; only an outcome and a settlement come to it, once. */
export function memory(): Rule {
  const seen = new Map<unknown, Record<string, unknown>>()
  return {
    name: 'payments-last',
    section: '3',
    title: 'a payment is the same wherever and whenever it is shown, but for its outcome',
    applies: answer => paymentsOf(answer).length > 0,
    look(answer, differ) {
      for (const payment of paymentsOf(answer)) {
        const { id } = payment
        const before = seen.get(id)
        if (before === undefined) {
          if (seen.size < REMEMBERED) seen.set(id, payment)
          continue
        }
        for (const key of LASTING) {
          if (!(key in before) || !(key in payment)) continue
          if (sorted(before[key]) !== sorted(payment[key])) {
            differ(`payment ${id}: ${key} is ${shown(payment[key])}, and was ${shown(before[key])}`)
          }
        }
        if (before.status !== 'pending' && payment.status !== before.status) {
          differ(`payment ${id}: status is ${shown(payment.status)}, and was ${shown(before.status)}`)
        }
        if (before.statementReference !== null && payment.statementReference !== before.statementReference) {
          differ(`payment ${id}: statementReference is ${shown(payment.statementReference)}, and was another`)
        }
        seen.set(id, { ...before, ...payment })
      }
    },
  }
}

/** As JSON, whatever the order of its keys. */
function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
