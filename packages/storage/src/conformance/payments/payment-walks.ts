import type { PaymentFilter } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { oneTo, times, wobbling } from '../races/race.ts'
import { at, COMPLETED, dateAt, type Scene } from '../scene.ts'

const ALL = { first: 1, last: 200 }

const idsOf = (payments: { id: number }[]) => payments.map(({ id }) => id)

export function paymentWalks({ test, expect }: Checks): void {
  test('the ids between two dates are one run', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const between = (start?: number, end?: number) =>
      storage.payments.idRange(id, {
        startDate: start === undefined ? undefined : dateAt(start),
        endDate: end === undefined ? undefined : dateAt(end),
      })
    expect(await between()).toEqual({ first: 1, last: 0 })
    expect(await between(0, 10)).toEqual({ first: 1, last: 0 })
    for (const seconds of [0, 10, 10, 10, 20]) await start(id, {}, at(seconds))
    expect(await between()).toEqual({ first: 1, last: 5 })
    expect(await between(10)).toEqual({ first: 2, last: 5 })
    expect(await between(11)).toEqual({ first: 5, last: 5 })
    expect(await between(undefined, 10)).toEqual({ first: 1, last: 1 })
    expect(await between(10, 20)).toEqual({ first: 2, last: 4 })
    expect(await between(11, 20)).toEqual({ first: 5, last: 4 })
    expect(await between(-5, 0)).toEqual({ first: 1, last: 0 })
    expect(await between(21, 30)).toEqual({ first: 6, last: 5 })
    const reversed = await between(20, 0)
    expect((reversed?.last ?? 0) < (reversed?.first ?? 0)).toBe(true)
  })

  test('nobody has no ids, and none of others', async ({ storage, merchant, start }) => {
    const [one, other] = [await merchant(), await merchant()]
    await start(one.id)
    for (const unknown of [...UNKNOWN_TEXTS, one.id.toUpperCase()]) {
      expect(await storage.payments.idRange(unknown, {})).toBe(null)
      expect(await storage.payments.idRange(unknown, { startDate: dateAt(0) })).toBe(null)
      expect(await storage.payments.walk(unknown, {}, ALL, 10)).toEqual([])
    }
    expect(await storage.payments.walk(other.id, {}, ALL, 10)).toEqual([])
  })

  test('a walk goes through a run by ascending id', async ({ storage, merchant, completed, start }) => {
    const { id } = await merchant()
    const first = await completed(id, { merchantReference: 'order-1', extra: { waiter: 'Ann' } })
    for (let n = 0; n < 6; n++) await start(id)
    const walk = async (first: number, last: number, limit: number) =>
      idsOf(await storage.payments.walk(id, {}, { first, last }, limit))
    expect((await storage.payments.walk(id, {}, ALL, 1))[0]).toEqual(first)
    expect(await walk(1, 7, 100)).toEqual(oneTo(7))
    expect(await walk(3, 6, 100)).toEqual([3, 4, 5, 6])
    expect(await walk(3, 6, 2)).toEqual([3, 4])
    expect(await walk(7, 7, 1)).toEqual([7])
    expect(await walk(8, 20, 1)).toEqual([])
    expect(await walk(5, 4, 10)).toEqual([])
    expect(await walk(0, 3, 10)).toEqual([1, 2, 3])
    expect(await walk(-2, -1, 10)).toEqual([])
    expect(await walk(1, -1, 10)).toEqual([])
  })

  test('by every filter a walk has what a list has', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    for (let n = 0; n < 24; n++) {
      const fields = {
        scanCode: `till-${n % 2}`,
        scanCodeReference: n % 3 ? 'Counter' : null,
        userReference: n % 4 ? 'guest' : null,
        merchantReference: n % 5 ? 'order' : null,
      }
      await [completed, failed, start][n % 3]?.(id, fields)
    }
    await storage.payments.settle(id, 'BANK-1', [1, 4, 22])
    for (const filter of FILTERS) {
      const listed = (await scene.ids(id, filter)).toReversed()
      expect({ filter, ids: idsOf(await storage.payments.walk(id, filter, ALL, 100)) }).toEqual({
        filter,
        ids: listed,
      })
      for (const [first, last] of [
        [1, 8],
        [5, 22],
      ] as const) {
        const inRun = listed.filter(one => one >= first && one <= last)
        const walked = idsOf(await storage.payments.walk(id, filter, { first, last }, 100))
        expect({ filter, first, walked }).toEqual({ filter, first, walked: inRun })
        const two = idsOf(await storage.payments.walk(id, filter, { first, last }, 2))
        expect(two).toEqual(inRun.slice(0, 2))
      }
    }
  })

  test('beside starts and outcomes a walk has each of its run, once', async scene => {
    const { storage, merchant, start } = scene
    const { id } = await merchant()
    await times(10, () => start(id))
    const before = await storage.payments.idRange(id, {})
    const [, walks] = await Promise.all([
      times(20, async n => {
        const { id: paymentId } = await start(id, {}, wobbling(n))
        await storage.payments.resolve({ merchantId: id, id: paymentId }, COMPLETED, at(30))
      }),
      times(5, () => walkOf(scene, id, before?.last ?? 0)),
    ])
    for (const walked of walks) expect(walked).toEqual(oneTo(10))
    expect((await storage.payments.idRange(id, {}))?.last).toBe(30)
  })
}

const FILTERS: PaymentFilter[] = [
  {},
  { status: ['completed'] },
  { status: ['error'] },
  { status: ['pending', 'error'] },
  { status: ['completed', 'pending'] },
  { status: ['completed', 'pending', 'error'] },
  { scanCode: 'till-1' },
  { scanCodeReference: 'Counter' },
  { userReference: 'guest', status: ['completed'] },
  { merchantReference: 'order', scanCode: 'till-0' },
  { statementReference: 'BANK-1' },
  { statementReference: 'BANK-2' },
]

/** The ids of a walk in steps of three. */
async function walkOf({ storage }: Scene, merchantId: string, last: number): Promise<number[]> {
  const met: number[] = []
  for (let first = 1; first <= last; first += 3) {
    const range = { first, last: Math.min(first + 2, last) }
    met.push(...idsOf(await storage.payments.walk(merchantId, {}, range, 3)))
  }
  return met
}
