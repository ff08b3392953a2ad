import { entriesOf, nameOf, type Rule, repeated } from '../../rule.ts'

/** What was asked for is one payment at most, of the amount that was asked for, and one caller at most made it. */
export const attempts: Rule = function* (books) {
  const { payments } = books
  const named = payments.filter(({ extra }) => extra.attempt !== undefined)
  for (const attempt of repeated(named.map(({ extra }) => `${extra.attempt}`))) {
    const twice = named.filter(({ extra }) => extra.attempt === attempt).map(nameOf)
    yield `${attempt} was asked for once and is ${twice.join(' and ')}`
  }
  const asked = new Map(entriesOf(books, 'asked').map(entry => [entry.attempt, entry]))
  for (const payment of named) {
    const entry = asked.get(`${payment.extra.attempt}`)
    if (!entry) yield `${nameOf(payment)} was never asked for`
    else if (entry.totalAmount !== payment.totalAmount || entry.merchantId !== payment.merchantId) {
      yield `${nameOf(payment)} is not what ${entry.attempt} asked for`
    }
  }
  const created = entriesOf(books, 'started').filter(entry => entry.created)
  for (const name of repeated(created.map(({ payment }) => nameOf(payment)))) {
    yield `${name} was created twice, as two callers were told`
  }
}
