import type { Payment, StatementRow } from '@tillkit/till'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settledAs, settlementScene } from './scene.ts'

type Made = {
  how: 'completed' | 'error' | 'pending'
  totalAmount: number
  merchantReference: string | undefined
}

const amount = fc.integer({ min: 1, max: 2 })
const reference = fc.constantFrom('a', 'b', 'c', 'd')
const made = fc.record({
  how: fc.constantFrom<Made['how']>('completed', 'completed', 'completed', 'error', 'pending'),
  totalAmount: amount,
  merchantReference: fc.option(reference, { nil: undefined, freq: 1 }),
})
const row = fc.oneof(
  fc.record({ merchantId: fc.constant('shop'), paymentId: fc.integer({ min: 1, max: 12 }), amount }),
  fc.record({ merchantId: fc.constantFrom('shop', 'nobody'), merchantReference: reference, amount }),
)

/** What the README says, in as few words as there are. */
function expected(payments: Payment[], rows: StatementRow[], statement: string) {
  const named = new Set<number>()
  const settled = new Set<number>()
  const whys = rows.map(({ merchantId, paymentId, merchantReference, amount }) => {
    const called = payments.filter(
      one =>
        one.merchantId === merchantId &&
        (paymentId === undefined ? one.merchantReference === merchantReference : one.id === paymentId),
    )
    const live = called.filter(one => one.status !== 'error')
    const meant = live.length > 0 ? live : called
    const mine = meant.filter(one => one.statementReference === statement)
    const payment = meant.length === 1 ? meant[0] : mine.length === 1 ? mine[0] : undefined
    if (!payment) return called.length > 0 && live.length === 0 ? 'not_completed' : 'unknown'
    if (named.has(payment.id)) return 'twice'
    named.add(payment.id)
    if (payment.status !== 'completed') return 'not_completed'
    if ((payment.statementReference ?? statement) !== statement) return 'settled_elsewhere'
    if (payment.totalAmount !== amount) return 'amount'
    settled.add(payment.id)
    return payment.statementReference === null ? 'settled' : 'already'
  })
  const left = payments.filter(
    ({ id, status, statementReference }) =>
      status === 'completed' &&
      statementReference === null &&
      !named.has(id) &&
      id > Math.min(...settled) &&
      id < Math.max(...settled),
  )
  return { whys, left: left.map(({ id }) => id) }
}

test('any statement over any payments: what is said is so, and said again when it is run again', async () => {
  const property = fc.asyncProperty(
    fc.array(made, { maxLength: 12 }),
    fc.array(row, { maxLength: 14 }),
    fc.array(row, { maxLength: 4 }),
    async (payments, rows, before) => {
      const { till, pay, importRows } = await settlementScene()
      for (const { how, ...fields } of payments) {
        const payment = await pay(fields)
        if (how === 'completed') await till.payments.complete(payment)
        if (how === 'error') await till.payments.fail(payment)
      }
      await importRows(before, { statementReference: 'S-0' })
      for (let run = 0; run < 2; run++) {
        const then = (await till.payments.list('shop')).items.toReversed()
        const model = expected(then, rows, 'S-1')
        const dry = await importRows(rows, { dryRun: true })
        expect((await till.payments.list('shop')).items.toReversed()).toEqual(then)
        const imported = await importRows(rows)
        expect(imported).toEqual(dry)

        const count = (why: string) => model.whys.filter(one => one === why).length
        const differing = rows.flatMap((given, n) => {
          const why = model.whys[n] ?? ''
          return why === 'settled' || why === 'already' ? [] : [[given, why]]
        })
        expect(imported.differences.map(one => [one.row, one.why])).toEqual(differing)
        expect([imported.settled, imported.already]).toEqual([count('settled'), count('already')])
        expect(imported.left.items.map(({ id }) => id)).toEqual(model.left)

        const kept = await settledAs(till)
        const mine = kept.filter(reference => reference === 'S-1').length
        expect((await till.settlements.get('S-1'))?.count ?? 0).toBe(mine)
        if (run === 0) expect(mine).toBe(count('settled'))
        else expect(imported.settled).toBe(0)
      }
    },
  )
  await fc.assert(property, { numRuns: Number(process.env.TILLKIT_RUNS ?? 100) })
})
