import type { PendingPayment, PendingPosition } from '../../payment-store.ts'
import type { Checks } from '../capability.ts'
import { at, COMPLETED, dateAt, type Scene } from '../scene.ts'

const NAMES = ['b', 'a', 'B', 'a.b', 'a:b', 'a-b', 'a_b', '9', '10']

export function pendingPayments({ test, expect }: Checks): void {
  test('pending ones of all merchants, oldest first, as they are', async scene => {
    const { storage, merchant, start, completed, failed } = scene
    const [one, other] = [await merchant(), await merchant()]
    await completed(one.id, {}, at(-100))
    await failed(one.id, {}, at(-100))
    const third = await start(one.id, { merchantReference: 'order-1', extra: { waiter: 'Ann' } }, at(-50))
    const fourth = await start(one.id, {}, at(-49))
    const first = await start(other.id, { strict: true, requiredAmount: 1 }, at(-60))
    const position = ({ merchantId, id, date }: PendingPosition) => ({ merchantId, id, date })
    const found = await walk(scene, dateAt(-49), 1000, [one.id, other.id])
    expect(found).toEqual([first, third, fourth].map(payment => ({ ...position(payment), payment })))
    expect((await storage.payments.pendingSince({ date: dateAt(-49), limit: 2 })).length).toBe(2)
  })

  test('those that were started at a date or before it', async scene => {
    const { merchant, start } = scene
    const { id } = await merchant()
    for (const seconds of [-500, -400.001, -400, -399.5]) await start(id, {}, at(seconds))
    const until = async (date: string) => (await walk(scene, date, 1000, [id])).map(found => found.id)
    expect(await until(dateAt(-501))).toEqual([])
    expect(await until(dateAt(-500))).toEqual([1])
    expect(await until(dateAt(-401))).toEqual([1, 2])
    expect(await until(dateAt(-400))).toEqual([1, 2, 3, 4])
    expect(await until('1970-01-01T00:00:00Z')).toEqual([])
    expect(await until('9999-12-31T23:59:59Z')).toEqual([1, 2, 3, 4])
  })

  test('page by page, each once, however many share a second', async scene => {
    const { merchant, start } = scene
    const prefix = `${(await merchant()).id}-`
    const ids: string[] = []
    for (const name of NAMES) ids.push((await merchant({ id: prefix + name })).id)
    for (const seconds of [-900, -900, -899, -899.5, -900])
      for (const id of ids) await start(id, {}, at(seconds))
    const whole = await walk(scene, dateAt(-890), 1000, ids)
    expect(whole.length).toBe(5 * ids.length)
    expect(whole).toEqual(whole.toSorted(byPosition))
    for (const limit of [1, 2, 7, 44]) expect(await walk(scene, dateAt(-890), limit, ids)).toEqual(whole)
  })

  test('a walk is not disturbed by outcomes and starts beside it', async scene => {
    const { storage, merchant, start } = scene
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await merchant()).id)
    for (let n = 0; n < 6; n++) for (const id of ids) await start(id, {}, at(-2000))
    const mine = (found: PendingPayment[]) => found.filter(({ merchantId }) => ids.includes(merchantId))
    const met: string[] = []
    let after: PendingPosition | undefined
    while (true) {
      const found = await storage.payments.pendingSince({ date: dateAt(-2000), after, limit: 2 })
      met.push(...mine(found).map(nameOf))
      after = found.at(-1)
      if (after === undefined) break
      // What was met gets its outcome, and so does one that was not met yet; another starts.
      for (const key of mine(found)) await storage.payments.resolve(key, COMPLETED, at(0))
      const last = ids[2] ?? ''
      await storage.payments.resolve({ merchantId: last, id: 6 }, COMPLETED, at(0))
      await start(last, {}, at(0))
    }
    const expected = ids.flatMap(id => [1, 2, 3, 4, 5, 6].map(n => `${id} ${n}`))
    expect(met).toEqual(expected.slice(0, -1))
  })

  test('after a position that nothing is at', async scene => {
    const { storage, merchant, start } = scene
    const { id } = await merchant()
    await start(id, {}, at(-3000))
    const after = (merchantId: string, number: number, date = dateAt(-3000)) =>
      storage.payments.pendingSince({
        date: dateAt(-3000),
        after: { merchantId, id: number, date },
        limit: 1,
      })
    const found = [{ merchantId: id, id: 1 }]
    const keys = async (page: Promise<PendingPayment[]>) =>
      (await page).map(({ merchantId, id }) => ({ merchantId, id }))
    expect(await keys(after(id, 0))).toEqual(found)
    expect(await keys(after('.', 99))).toEqual(found)
    expect(await keys(after('zzz', 99, dateAt(-3001)))).toEqual(found)
    expect(await keys(after(id, 1))).toEqual([])
    expect(await keys(after('zzz', 1))).toEqual([])
  })
}

/** What a whole walk finds of some merchants: other tests have left pending ones too. */
async function walk(
  { storage }: Scene,
  date: string,
  limit: number,
  merchantIds: readonly string[],
): Promise<PendingPayment[]> {
  const found: PendingPayment[] = []
  let after: PendingPosition | undefined
  do {
    const page: PendingPayment[] = await storage.payments.pendingSince({ date, after, limit })
    found.push(...page)
    after = page.at(-1)
  } while (after !== undefined)
  return found.filter(({ merchantId }) => merchantIds.includes(merchantId))
}

function byPosition(a: PendingPosition, b: PendingPosition): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  if (a.merchantId !== b.merchantId) return a.merchantId < b.merchantId ? -1 : 1
  return a.id - b.id
}

function nameOf({ merchantId, id }: PendingPosition): string {
  return `${merchantId} ${id}`
}
