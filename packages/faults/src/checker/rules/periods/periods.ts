import { nameOf, type Rule } from '../../rule.ts'

/** Periods are runs of ids, one after the other: a payment is in one, and its list shows exactly what completed in it, once none is pending. */
export const periods: Rule = function* ({ payments, cashUps, told }) {
  for (const [merchantId, own] of Map.groupBy(cashUps, cashUp => cashUp.merchantId)) {
    let next = 1
    for (const { reference, firstPaymentId, lastPaymentId } of own) {
      if (firstPaymentId !== next || lastPaymentId < firstPaymentId - 1) {
        yield `period ${reference} of ${merchantId} has ${firstPaymentId} to ${lastPaymentId} and should begin at ${next}`
      }
      next = lastPaymentId + 1
    }
  }

  const runs = new Map(cashUps.map(cashUp => [cashUp.reference, cashUp]))
  for (const { merchantId, periods } of told) {
    const known = payments.filter(one => one.merchantId === merchantId)
    const seen = new Map<number, string>()
    for (const { reference, payments: listed } of periods) {
      const run = runs.get(reference)
      const within = known.filter(({ id }) => run && id >= run.firstPaymentId && id <= run.lastPaymentId)
      if (listed === null) {
        if (!within.some(({ status }) => status === 'pending'))
          yield `period ${reference} of ${merchantId} is not ready, and no payment in it is pending`
        continue
      }
      const expected = within
        .filter(({ status }) => status === 'completed')
        .map(({ id }) => id)
        .reverse()
      if (`${listed.ids}` !== `${expected}`) {
        yield `period ${reference} of ${merchantId} lists ${listed.ids.length} payments and not the ${expected.length} that completed in it`
      }
      if (listed.total !== expected.length) {
        yield `period ${reference} of ${merchantId} has the total ${listed.total} and ${expected.length} payments`
      }
      for (const id of listed.ids) {
        const before = seen.get(id)
        if (before !== undefined)
          yield `${nameOf({ merchantId, id })} is in the periods ${before} and ${reference}`
        seen.set(id, reference)
      }
    }
  }
}
