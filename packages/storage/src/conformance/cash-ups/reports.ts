import type { PeriodReport, Sums } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, COMPLETED, dateAt, newReference } from '../scene.ts'

const sums = (count: number, totalAmount: number | bigint = 0, tipAmount: number | bigint = 0) => ({
  count,
  totalAmount: BigInt(totalAmount),
  tipAmount: BigInt(tipAmount),
})

const EMPTY: Omit<PeriodReport<bigint>, 'reference' | 'final'> = {
  firstPaymentId: null,
  lastPaymentId: null,
  from: null,
  to: null,
  byStatus: { pending: sums(0), completed: sums(0), error: sums(0) },
  vouchers: { issued: sums(0), redeemed: sums(0) },
  byScanCode: [],
  byDevice: [],
}

export function reports({ test, expect }: Checks): void {
  test('a device of no name is another than none, which comes first', async ({
    storage,
    merchant,
    completed,
  }) => {
    const { id } = await merchant()
    for (const deviceSerialNumber of ['d', '', null, ''])
      await completed(id, { totalAmount: 1, deviceSerialNumber })
    expect((await storage.reports.period(id, null))?.byDevice).toEqual([
      { deviceSerialNumber: null, ...sums(1, 1) },
      { deviceSerialNumber: '', ...sums(2, 2) },
      { deviceSerialNumber: 'd', ...sums(1, 1) },
    ])
  })

  test('a period by all that is told apart', async ({
    storage,
    merchant,
    start,
    completed,
    failed,
    cashUp,
  }) => {
    const { id } = await merchant()
    await completed(id, { totalAmount: 1 })
    const before = await cashUp(id)
    await completed(id, { totalAmount: 100, tipAmount: 10, scanCode: 'b', scanCodeReference: 'B' }, at(10))
    await completed(id, { totalAmount: 200, scanCode: 'a', isVoucher: true, deviceSerialNumber: 'd' })
    await completed(id, { totalAmount: 400, scanCode: 'b', isVoucherRedemption: true })
    await failed(id, { totalAmount: 800, tipAmount: 1, isVoucher: true, deviceSerialNumber: 'e' })
    await start(id, { totalAmount: 1600, tipAmount: 2, scanCode: 'c' }, at(20))
    const report: Omit<PeriodReport<bigint>, 'reference'> = {
      final: false,
      firstPaymentId: 2,
      lastPaymentId: 6,
      from: dateAt(10),
      to: dateAt(20),
      byStatus: { pending: sums(1, 1600, 2), completed: sums(3, 700, 10), error: sums(1, 800, 1) },
      vouchers: { issued: sums(1, 200), redeemed: sums(1, 400) },
      byScanCode: [
        { scanCode: 'a', scanCodeReference: null, ...sums(1, 200) },
        { scanCode: 'b', scanCodeReference: null, ...sums(2, 500, 10) },
      ],
      byDevice: [
        { deviceSerialNumber: null, ...sums(2, 500, 10) },
        { deviceSerialNumber: 'd', ...sums(1, 200) },
      ],
    }
    expect(await storage.reports.period(id, null)).toEqual({ reference: null, ...report })
    const reference = await cashUp(id, at(30))
    expect(await storage.reports.period(id, reference)).toEqual({ reference, ...report })
    expect(await storage.reports.period(id, null)).toEqual({ reference: null, final: false, ...EMPTY })
    await storage.payments.resolve({ merchantId: id, id: 6 }, { status: 'error', failure: null }, at(40))
    const after = await storage.reports.period(id, reference)
    expect(after?.final).toBe(true)
    expect(after?.byStatus).toEqual({
      pending: sums(0),
      completed: sums(3, 700, 10),
      error: sums(2, 2400, 3),
    })
    expect((await storage.reports.period(id, before))?.byStatus.completed).toEqual(sums(1, 1))
  })

  test('periods without payments', async ({ storage, merchant, cashUp, completed }) => {
    const { id } = await merchant()
    expect(await storage.reports.period(id, null)).toEqual({ reference: null, final: false, ...EMPTY })
    const first = await cashUp(id)
    expect(await storage.reports.period(id, first)).toEqual({ reference: first, final: true, ...EMPTY })
    await completed(id)
    await cashUp(id)
    const empty = await cashUp(id)
    expect(await storage.reports.period(id, empty)).toEqual({ reference: empty, final: true, ...EMPTY })
  })

  test('nobody has no period, and none of others', async ({ storage, merchant, cashUp, completed }) => {
    const [one, other] = [await merchant(), await merchant()]
    await completed(one.id)
    const reference = await cashUp(one.id)
    const bounds = [dateAt(-900), dateAt(0), dateAt(900)]
    for (const unknown of [...UNKNOWN_TEXTS, one.id.toUpperCase()]) {
      expect(await storage.reports.period(unknown, null)).toBe(null)
      expect(await storage.reports.period(unknown, reference)).toBe(null)
      expect(await storage.reports.takings(unknown, bounds)).toBe(null)
      expect(await storage.reports.period(one.id, unknown)).toBe(null)
    }
    expect(await storage.reports.period(other.id, reference)).toBe(null)
    expect(await storage.reports.period(one.id, newReference())).toBe(null)
    expect(await storage.reports.takings(other.id, bounds)).toEqual([sums(0), sums(0)])
  })

  test('scan codes and devices are told apart to the letter', async ({ storage, merchant, completed }) => {
    const { id } = await merchant()
    const texts = EDGE_TEXTS.filter(text => text.length <= 64)
    for (const text of texts) await completed(id, { scanCode: text, deviceSerialNumber: text })
    const report = await storage.reports.period(id, null)
    expect(report?.byScanCode.map(({ scanCode }) => scanCode)).toEqual([...texts].sort())
    expect(report?.byDevice.map(({ deviceSerialNumber }) => deviceSerialNumber)).toEqual([...texts].sort())
    expect(report?.byDevice.every(({ count }) => count === 1)).toBe(true)
  })

  test('sums are exact beyond what a number holds', async ({ storage, merchant, completed }) => {
    const { id } = await merchant()
    const most = Number.MAX_SAFE_INTEGER
    for (let n = 0; n < 5; n++) await completed(id, { totalAmount: most - n, tipAmount: most - n })
    const total = 5n * BigInt(most) - 10n
    expect((await storage.reports.period(id, null))?.byStatus.completed).toEqual(sums(5, total, total))
    const taken = await storage.reports.takings(id, [dateAt(0), dateAt(900)])
    expect(taken).toEqual([sums(5, total, total)])
  })

  test('takings between bounds, the first of which counts', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    for (const [n, seconds] of [-1, 0, 899, 900, 3599, 3600, 7200].entries()) {
      await completed(id, { totalAmount: 10 ** n, tipAmount: 1 }, at(seconds))
    }
    await failed(id, {}, at(7200))
    await start(id, {}, at(7200))
    const taken = (...seconds: number[]) => storage.reports.takings(id, seconds.map(dateAt))
    expect(await taken(0, 900)).toEqual([sums(2, 110, 2)])
    expect(await taken(0, 900, 3600)).toEqual([sums(2, 110, 2), sums(2, 11_000, 2)])
    expect(await taken(-3600, 0, 3600, 7200, 10_800)).toEqual([
      sums(1, 1, 1),
      sums(4, 11_110, 4),
      sums(1, 100_000, 1),
      sums(1, 1_000_000, 1),
    ])
    expect(await taken(-7200, -3600)).toEqual([sums(0)])
    expect(await taken(10_800, 14_400)).toEqual([sums(0)])
    await storage.payments.resolve({ merchantId: id, id: 9 }, COMPLETED, at(90_000))
    expect(await taken(7200, 8100)).toEqual([sums(2, 1_001_250, 1)])
  })

  test('takings of all merchants', async ({ storage, merchant, completed }) => {
    const bounds = [86_400, 90_000, 93_600].map(dateAt)
    const all = async () => (await storage.reports.takings(null, bounds)) ?? []
    const before = await all()
    for (let n = 0; n < 5; n++) {
      const { id } = await merchant()
      await completed(id, { totalAmount: 7 }, at(0))
      for (let m = 0; m <= n; m++) await completed(id, { totalAmount: 100 }, at(86_400 + m * 1800))
    }
    const more = (sum: Sums<bigint> | undefined, count: number) => ({
      count: (sum?.count ?? 0) + count,
      totalAmount: (sum?.totalAmount ?? 0n) + 100n * BigInt(count),
      tipAmount: sum?.tipAmount ?? 0n,
    })
    expect(await all()).toEqual([more(before[0], 9), more(before[1], 5)])
    expect(await all()).toEqual([more(before[0], 9), more(before[1], 5)])
  })

  test('a date that was put right moves what was taken', async ({ storage, merchant, completed }) => {
    const { id } = await merchant()
    await completed(id, {}, at(0))
    for (let n = 0; n < 4; n++) await completed(id, {}, at(864_000 + n))
    const counts = async () => {
      const taken = await storage.reports.takings(id, [0, 900, 1800, 864_000, 864_900].map(dateAt))
      return taken?.map(({ count }) => count)
    }
    expect(await counts()).toEqual([1, 0, 0, 4])
    expect(await counts()).toEqual([1, 0, 0, 4])
    while (!(await storage.payments.repairDates(id, at(1000), 3)).done);
    expect(await counts()).toEqual([1, 4, 0, 0])
    expect((await storage.reports.period(id, null))?.to).toBe(dateAt(1000))
  })
}
