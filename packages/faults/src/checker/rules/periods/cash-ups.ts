import { entriesOf, type Rule, repeated } from '../../rule.ts'

/** A cash up that was acknowledged is there; no reference and no idempotency key has two; their numbers have no gap. */
export const cashUps: Rule = function* (books) {
  const kept = new Map(books.cashUps.map(cashUp => [cashUp.reference, cashUp]))
  for (const { merchantId, idempotencyKey, cashUp } of entriesOf(books, 'cashedUp')) {
    const found = kept.get(cashUp.reference)
    if (!found) yield `cash up ${cashUp.reference} of ${merchantId} was acknowledged and is not there`
    else if (found.merchantId !== merchantId || found.date !== cashUp.date) {
      yield `cash up ${cashUp.reference} is not as it was acknowledged to ${merchantId}`
    } else if (found.idempotencyKey !== idempotencyKey) {
      yield `cash up ${cashUp.reference} was acknowledged for ${idempotencyKey} and has ${found.idempotencyKey}`
    }
  }
  const keyed = books.cashUps.filter(({ idempotencyKey }) => idempotencyKey !== null)
  for (const key of repeated(
    keyed.map(({ merchantId, idempotencyKey }) => `${merchantId} ${idempotencyKey}`),
  )) {
    yield `two cash ups have the idempotency key ${key}`
  }
  for (const reference of repeated(books.cashUps.map(cashUp => cashUp.reference))) {
    yield `two cash ups have the reference ${reference}`
  }
  for (const [merchantId, own] of Map.groupBy(books.cashUps, cashUp => cashUp.merchantId)) {
    for (const [n, { number }] of own.entries()) {
      if (number !== n + 1) yield `${merchantId} has cash up ${number} where ${n + 1} should be`
    }
  }
}
