import { MOST_MEANT, type Payment, type PaymentName } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { oneTo } from '../races/race.ts'
import { at, dateAt } from '../scene.ts'

const NO_NAME: PaymentName = { id: null, merchantReference: null, authCode: null }

const idsOf = (found: Payment[][]) => found.map(payments => payments.map(({ id }) => id))

export function namedPayments({ test, expect }: Checks): void {
  test('payments are found by id, reference and code, and by all that is given', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    await completed(id, { merchantReference: 'order-1', authCode: '000001' })
    await start(id, { merchantReference: 'order-2', authCode: '000002' })
    await failed(id, { merchantReference: 'order-1', authCode: '000003' })
    await failed(id, { merchantReference: 'order-3', authCode: '000003' })
    const names: PaymentName[] = [
      { ...NO_NAME, id: 1 },
      { ...NO_NAME, id: 2 },
      { ...NO_NAME, id: 3 },
      { ...NO_NAME, id: 5 },
      { ...NO_NAME, id: Number.MAX_SAFE_INTEGER },
      { ...NO_NAME, merchantReference: 'order-1' },
      { ...NO_NAME, merchantReference: 'order-2' },
      { ...NO_NAME, merchantReference: 'order-3' },
      { ...NO_NAME, merchantReference: 'Order-1' },
      { ...NO_NAME, authCode: '000001' },
      { ...NO_NAME, authCode: '000003' },
      { ...NO_NAME, authCode: '1' },
      { ...NO_NAME, merchantReference: 'order-1', authCode: '000001' },
      { ...NO_NAME, merchantReference: 'order-1', authCode: '000003' },
      { ...NO_NAME, merchantReference: 'order-2', authCode: '000001' },
      { id: 1, merchantReference: 'order-1', authCode: '000001' },
      { id: 1, merchantReference: 'order-2', authCode: null },
      { id: 2, merchantReference: null, authCode: '000001' },
      { ...NO_NAME, id: 1 },
    ]
    const found = await storage.settlements.find(id, names, null)
    expect(idsOf(found)).toEqual([
      [1],
      [2],
      [3],
      [],
      [],
      [1],
      [2],
      [4],
      [],
      [1],
      [3, 4],
      [],
      [1],
      [3],
      [],
      [1],
      [],
      [],
      [1],
    ])
    const payments = await Promise.all(oneTo(4).map(n => storage.payments.get({ merchantId: id, id: n })))
    expect(found.flat()).toEqual(found.flat().map(one => payments[one.id - 1]))
  })

  test('those that have not failed come before those that have', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    await failed(id, { merchantReference: 'a' })
    await completed(id, { merchantReference: 'a' })
    await failed(id, { merchantReference: 'a' })
    await start(id, { merchantReference: 'a' })
    await failed(id, { merchantReference: 'b' })
    await failed(id, { merchantReference: 'b' })
    const names = ['a', 'b'].map(merchantReference => ({ ...NO_NAME, merchantReference }))
    expect(idsOf(await storage.settlements.find(id, names, null))).toEqual([
      [2, 4],
      [5, 6],
    ])
  })

  test('only since a time, unless an id says which', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (const n of [0, 10, 20]) await completed(id, { merchantReference: 'a', authCode: '1' }, at(n))
    const names = [
      { ...NO_NAME, merchantReference: 'a' },
      { ...NO_NAME, authCode: '1' },
      { ...NO_NAME, id: 1 },
    ]
    const since = async (seconds: number) => idsOf(await storage.settlements.find(id, names, dateAt(seconds)))
    expect(await since(0)).toEqual([[1, 2, 3], [1, 2, 3], [1]])
    expect(await since(10)).toEqual([[2, 3], [2, 3], [1]])
    expect(await since(11)).toEqual([[3], [3], [1]])
    expect(await since(21)).toEqual([[], [], [1]])
  })

  test('of a name that many share some are found', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (let n = 0; n < MOST_MEANT + 5; n++) await completed(id, { merchantReference: 'a' })
    await completed(id, { merchantReference: 'b' })
    const names = ['a', 'b'].map(merchantReference => ({ ...NO_NAME, merchantReference }))
    const [many = [], one = []] = idsOf(await storage.settlements.find(id, names, null))
    expect(many.length).toBe(MOST_MEANT)
    expect(many).toEqual([...new Set(many)].sort((a, b) => a - b))
    expect(one).toEqual([MOST_MEANT + 6])
  })

  test('many names are looked for at once, of one merchant alone', async scene => {
    const { storage, merchant, completed } = scene
    const [one, other] = [await merchant(), await merchant()]
    for (let n = 1; n <= 130; n++) await completed(one.id, { merchantReference: `order-${n}` })
    await completed(other.id, { merchantReference: 'order-1' })
    const names = oneTo(130).map(n =>
      n % 2 ? { ...NO_NAME, merchantReference: `order-${n}` } : { ...NO_NAME, id: n },
    )
    expect(idsOf(await storage.settlements.find(one.id, names, null))).toEqual(oneTo(130).map(n => [n]))
    expect(idsOf(await storage.settlements.find(other.id, names.slice(0, 3), null))).toEqual([[1], [], []])
    expect(await storage.settlements.find(one.id, [], null)).toEqual([])
    const thousands = oneTo(3000).map(id => ({ ...NO_NAME, id }))
    expect(idsOf(await storage.settlements.find(one.id, thousands, null)).flat()).toEqual(oneTo(130))
  })

  test('texts are told apart to the letter, and what was never stored is unknown', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (const merchantReference of EDGE_TEXTS) await completed(id, { merchantReference })
    const named = EDGE_TEXTS.map(merchantReference => ({ ...NO_NAME, merchantReference }))
    expect(idsOf(await storage.settlements.find(id, named, null))).toEqual(
      oneTo(EDGE_TEXTS.length).map(n => [n]),
    )
    const unknown = UNKNOWN_TEXTS.flatMap(text => [
      { ...NO_NAME, merchantReference: text },
      { ...NO_NAME, authCode: text },
    ])
    expect(idsOf(await storage.settlements.find(id, unknown, null))).toEqual(unknown.map(() => []))
    for (const nobody of UNKNOWN_TEXTS) {
      expect(idsOf(await storage.settlements.find(nobody, named.slice(0, 2), null))).toEqual([[], []])
      expect(await storage.settlements.settle(nobody, 'BANK-1', [{ id: 1, fee: 0 }])).toEqual({
        settled: [],
        others: [],
      })
      expect(await storage.settlements.unsettled(nobody, 1, 10)).toEqual([])
    }
  })
}
