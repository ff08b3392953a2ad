import type { Checks } from '../capability.ts'
import { at, COMPLETED, EVERYTHING, newReference, refusal } from '../scene.ts'
import { idsHaveNoGap, oneTo, times, wobbling } from './race.ts'

export function racingCashUps({ test, expect }: Checks): void {
  test('cash ups during starts: each payment in one period', async scene => {
    const { storage, merchant, start, cashUp, completed } = scene
    const { id } = await merchant()
    const references = await times(60, async n => {
      if (n % 6 === 5) return cashUp(id, wobbling(n))
      await (n % 2 ? start : completed)(id, {}, wobbling(n))
      return null
    })
    const last = await cashUp(id, at(0))
    const started = (await storage.payments.list(id, {}, EVERYTHING)).items
    idsHaveNoGap(expect, started)
    for (const payment of started) await storage.payments.resolve(payment, COMPLETED, at(30))

    const made = references.filter(reference => reference !== null)
    const listed = (await storage.cashUps.list(id, EVERYTHING)).items
    expect(listed.map(({ reference }) => reference).sort()).toEqual([...made, last].sort())
    const periods = await Promise.all(
      listed.map(({ reference }) => storage.cashUps.payments(id, reference, EVERYTHING)),
    )
    const inPeriods = periods.flatMap(page => (page === null || page === 'not_ready' ? [] : page.items))
    expect(inPeriods.map(payment => payment.id)).toEqual(oneTo(50).toReversed())
    const dates = listed.map(({ date }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('racing cash ups of one idempotency key: one cash up', async ({ storage, merchant, completed }) => {
    const { id } = await merchant()
    await completed(id)
    const made = await times(20, n =>
      storage.cashUps.create(id, { reference: newReference(), idempotencyKey: 'k', now: at(n) }),
    )
    const { items, total } = await storage.cashUps.list(id, EVERYTHING)
    expect(total).toBe(1)
    expect(made).toEqual(made.map(() => items[0]))
  })

  test('racing settlements under two references: one holds, whole', async ({
    storage,
    merchant,
    completed,
  }) => {
    const { id } = await merchant()
    await times(20, () => completed(id))
    const [up, down] = [oneTo(20), oneTo(20).toReversed()]
    const answers = await times(10, n =>
      refusal(storage.payments.settle(id, `BANK-${n % 2}`, n % 3 ? up : down)),
    )
    const { items } = await storage.payments.list(id, {}, EVERYTHING)
    const settled = new Set(items.map(({ statementReference }) => statementReference))
    expect(settled.size).toBe(1)
    const winner = settled.has('BANK-0') ? 0 : 1
    expect(answers).toEqual(answers.map((_, n) => (n % 2 === winner ? 'none' : 'conflict')))
  })
}
