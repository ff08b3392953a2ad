import type { Checks } from '../capability.ts'
import { at, EVERYTHING, newReference } from '../scene.ts'
import { free, totalsOf } from '../settlements/imported-statements.ts'
import { oneTo, times } from './race.ts'

export function racingSettlements({ test, expect }: Checks): void {
  test('racing for the same payments: each is settled once, and counted once', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    const reference = newReference()
    await times(40, () => completed(id, { totalAmount: 3 }))
    const answers = await times(8, async n => {
      await storage.settlements.begin(reference, at(n))
      const all = oneTo(40).map(key => ({ id: key, fee: 2 }))
      return storage.settlements.settle(id, reference, n % 2 ? all : all.toReversed().slice(n, 30 + n))
    })
    const settled = answers.flatMap(answer => answer.settled)
    expect(settled.sort((a, b) => a - b)).toEqual(oneTo(40))
    expect(await totalsOf(scene, id, reference)).toEqual({ count: 40, amount: 120, fees: 80 })
  })

  test('racing under two references, and with all or none: each payment is under one', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    const references = [newReference(), newReference()] as const
    await times(30, () => completed(id, { totalAmount: 1 }))
    await times(12, async n => {
      const reference = references[n % 2] ?? ''
      const some = oneTo(30).filter(key => key % 3 !== n % 3)
      if (n % 4 === 3) await storage.payments.settle(id, reference, some).catch(() => {})
      else await storage.settlements.settle(id, reference, free(some))
    })
    const { items } = await storage.payments.list(id, {}, EVERYTHING)
    for (const reference of references) {
      const count = items.filter(one => one.statementReference === reference).length
      const totals = await totalsOf(scene, id, reference)
      expect(totals?.count ?? 0).toBe(count)
      expect(totals?.amount ?? 0).toBe(count)
    }
    expect(items.filter(one => one.statementReference === null)).toEqual([])
  })
}
