import type { Rule } from '../../rule.ts'

/** The dates of payments are in the order of their ids, and those of cash ups in the order in which they were made. */
export const dates: Rule = function* ({ payments, cashUps }) {
  yield* inOrder('payment', payments)
  yield* inOrder(
    'cash up',
    cashUps.map(({ merchantId, number, date }) => ({ merchantId, id: number, date })),
  )
}

function* inOrder(what: string, all: { merchantId: string; id: number; date: string }[]) {
  for (const [merchantId, own] of Map.groupBy(all, one => one.merchantId)) {
    for (const [n, { id, date }] of own.entries()) {
      const before = own[n - 1]
      if (before && before.date > date) {
        yield `${what} ${merchantId}:${id} is of ${date}, the one before it of ${before.date}`
      }
    }
  }
}
