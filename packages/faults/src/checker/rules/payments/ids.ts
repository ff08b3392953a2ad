import type { Rule } from '../../rule.ts'

/** A merchant's ids are 1, 2, 3 … with no gap and none twice. */
export const ids: Rule = function* ({ payments }) {
  for (const [merchantId, own] of Map.groupBy(payments, payment => payment.merchantId)) {
    let expected = 1
    for (const { id } of own) {
      if (id !== expected) yield `${merchantId} has payment ${id} where ${expected} should be`
      expected = id + 1
    }
  }
}
