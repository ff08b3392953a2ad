import { type Rule, repeated } from '../../rule.ts'

/** No reference of a merchant's has two strict payments that are pending or completed. */
export const strict: Rule = function* ({ payments }) {
  const live = payments.filter(payment => payment.strict && payment.status !== 'error')
  const guarded = live.filter(({ merchantReference }) => merchantReference !== null)
  const references = guarded.map(({ merchantId, merchantReference }) => `${merchantId} ${merchantReference}`)
  for (const reference of repeated(references))
    yield `two live strict payments have the reference ${reference}`
}
