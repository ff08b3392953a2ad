import type { Payment } from '../payments/payment.ts'
import type { StatementRow } from './statement-row.ts'

/**
 * Why a row of a statement settles nothing:
 *
 * - `unknown`: no payment is called so, or several are, so that which one is meant would be a guess.
 * - `not_completed`: the payment is pending or has failed.
 * - `settled_elsewhere`: the payment was settled under another statement reference.
 * - `amount`: the payment's `totalAmount` is another.
 * - `twice`: an earlier row of the statement named the same payment, whatever came of that row.
 */
export type DifferenceReason = 'unknown' | 'not_completed' | 'amount' | 'settled_elsewhere' | 'twice'

/** All reasons. */
export const DIFFERENCE_REASONS: readonly DifferenceReason[] = [
  'unknown',
  'not_completed',
  'amount',
  'settled_elsewhere',
  'twice',
]

/** As many payments of one name are looked at: what is called like so many is called like none. */
export const MOST_MEANT = 20

/**
 * Which payment a name means, of those that a store found by it: the only one there is, of those that are pending or completed if
 * there are any; or, of several, the only one that this statement has settled already. Null where that would be a guess.
 */
export function paymentMeant(found: readonly Payment[], statementReference: string): Payment | null {
  const [first, ...others] = found
  if (first === undefined) return null
  if (others.length === 0) return first
  if (found.length >= MOST_MEANT) return null
  const [mine, ...more] = found.filter(payment => payment.statementReference === statementReference)
  return mine !== undefined && more.length === 0 ? mine : null
}

/** Why a row does not settle the payment that it means; null where they agree, also where it was settled by this statement before. */
export function disagreement(
  { amount }: Pick<StatementRow, 'amount'>,
  payment: Payment,
  statementReference: string,
): Exclude<DifferenceReason, 'unknown' | 'twice'> | null {
  if (payment.status !== 'completed') return 'not_completed'
  if (payment.statementReference !== null && payment.statementReference !== statementReference) {
    return 'settled_elsewhere'
  }
  return payment.totalAmount === amount ? null : 'amount'
}
