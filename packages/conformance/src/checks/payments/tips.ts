import type { Account } from '../../account/account.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'

/** So many payments that look alike are no chance. */
const TOO_MANY = 2

/**
 * API 2.1: `totalAmount` includes the tip. A customer who owes an amount and adds a tip pays more than the amount: where every such
 * payment's total is exactly what was owed, the tip was left out.
 */
export function tips({ window }: Account): Check {
  return {
    name: 'tips-in-total',
    section: '2.1',
    title: 'totalAmount includes the tip',
    async run(session) {
      const tipped = (window?.payments ?? []).filter(
        ({ status, tipAmount, requiredAmount }) =>
          status === 'completed' && Number(tipAmount ?? 0) > 0 && Number(requiredAmount ?? 0) > 0,
      )
      const [sample] = tipped
      if (sample === undefined)
        throw new NotTried('no completed payment with a tip and a required amount was read')
      const answer = await session.get(`/payments/${sample.id}`)
      const short = tipped.filter(({ totalAmount, requiredAmount }) => totalAmount === requiredAmount)
      if (short.length === tipped.length && short.length >= TOO_MANY) {
        session.differ(
          `each of ${short.length} payments with a tip has a totalAmount of exactly its requiredAmount: the tip is left out`,
          answer,
        )
      }
    },
  }
}
