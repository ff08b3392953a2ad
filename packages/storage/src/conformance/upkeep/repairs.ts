import type { RepairTimes } from '../../delivery-store.ts'
import type { Checks } from '../capability.ts'
import { aPayment, at, dateAt, EVERYTHING, refusal, type Scene, WEBHOOK_URL } from '../scene.ts'

const YEAR = 365 * 86_400
const TIMES: RepairTimes = { now: at(0), soon: at(60), latest: at(86_400) }

/** The dates of the merchant's payments by ascending id, and of its cash ups, oldest first. */
async function datesOf({ storage }: Scene, merchantId: string) {
  const payments = (await storage.payments.list(merchantId, {}, EVERYTHING)).items.toReversed()
  const cashUps = (await storage.cashUps.list(merchantId, EVERYTHING)).items.toReversed()
  return { payments: payments.map(({ date }) => date), cashUps: cashUps.map(({ date }) => date) }
}

export function repairs({ test, expect }: Checks): void {
  test('what lies after now is put to it, and the next is dated now', async scene => {
    const { storage, merchant, start, cashUp, ids } = scene
    const [{ id }, other] = [await merchant(), await merchant()]
    await start(other.id, {}, at(YEAR))
    await start(id, {}, at(0))
    await cashUp(id, at(1))
    await start(id, {}, at(YEAR))
    await cashUp(id, at(2))
    await start(id, {}, at(3))
    await cashUp(id, at(YEAR + 60))
    expect((await start(id, {}, at(10.5))).date).toBe(dateAt(YEAR + 60))

    const repaired = await storage.payments.repairDates(id, at(20.9), 100)
    expect(repaired).toEqual({ payments: 3, cashUps: 2, done: true })
    expect(await datesOf(scene, id)).toEqual({
      payments: [0, 20, 20, 20].map(dateAt),
      cashUps: [1, 20, 20].map(dateAt),
    })
    expect(await ids(id, { startDate: dateAt(20), endDate: dateAt(21) })).toEqual([4, 3, 2])
    expect(await ids(id, { startDate: dateAt(21) })).toEqual([])
    expect((await start(id, {}, at(30))).date).toBe(dateAt(30))
    const again = await storage.payments.repairDates(id, at(30), 100)
    expect(again).toEqual({ payments: 0, cashUps: 0, done: true })
    expect((await datesOf(scene, other.id)).payments).toEqual([dateAt(YEAR)])
  })

  test('a cash up alone, and a merchant with nothing, are put right', async scene => {
    const { storage, merchant, start, cashUp } = scene
    const { id } = await merchant()
    const nothing = { payments: 0, cashUps: 0, done: true }
    expect(await storage.payments.repairDates(id, at(0), 100)).toEqual(nothing)
    await cashUp(id, at(YEAR))
    expect(await storage.payments.repairDates(id, at(5), 100)).toEqual({ ...nothing, cashUps: 1 })
    expect((await start(id, {}, at(6))).date).toBe(dateAt(6))
  })

  test('an unknown merchant throws not_found', async ({ storage }) => {
    expect(await refusal(storage.payments.repairDates('nobody', at(0), 100))).toBe('not_found')
    expect(await storage.deliveries.repairDates('nobody', { firstId: 1, lastId: 9 }, TIMES)).toBe(0)
    expect(await storage.endpoints.repairDates('nobody', TIMES)).toBe(false)
  })

  test('in steps, between which ids and dates keep one order', async scene => {
    const { storage, merchant, start, cashUp, ids } = scene
    const { id } = await merchant()
    for (let n = 0; n < 3; n++) await start(id, {}, at(n))
    for (let n = 0; n < 7; n++) {
      await start(id, {}, at(YEAR + n))
      await cashUp(id, at(YEAR + n))
    }
    let [payments, cashUps, steps] = [0, 0, 0]
    for (let done = false; !done; steps++) {
      const now = at(100 + steps)
      const step = await storage.payments.repairDates(id, now, 2)
      payments += step.payments
      cashUps += step.cashUps
      done = step.done
      const dates = await datesOf(scene, id)
      expect(dates.payments).toEqual(dates.payments.toSorted())
      expect(dates.cashUps).toEqual(dates.cashUps.toSorted())
      // Each of these cash ups came right after the payment of its number.
      expect(dates.payments.slice(3, 10).every((date, n) => date <= (dates.cashUps[n] ?? ''))).toBe(true)
      const ahead = dates.payments.filter(date => date > dateAt(1000)).length
      expect((await ids(id, { startDate: dateAt(1000) })).length).toBe(ahead)
      if (steps === 0) await start(id, {}, now)
    }
    expect([payments, cashUps]).toEqual([8, 7])
    expect(steps >= 4).toBe(true)
    expect((await datesOf(scene, id)).payments.at(-1)).toBe(dateAt(99 + steps))
    expect((await start(id, {}, at(200))).date).toBe(dateAt(200))
  })

  test('beside starts and lists, by the store’s own time', async scene => {
    const { storage, merchant, start } = scene
    if (!storage.time) return
    const { id } = await merchant()
    const before = await storage.time()
    for (let n = 0; n < 20; n++) await start(id, {}, at(YEAR * 100))
    const repair = async () => {
      for (let done = false; !done; ) ({ done } = await storage.payments.repairDates(id, null, 3))
    }
    const startSome = async () => {
      for (let n = 0; n < 10; n++) await storage.payments.start(aPayment(id), null)
    }
    const listSome = async () => {
      for (let n = 0; n < 10; n++) {
        const { items } = await storage.payments.list(id, {}, { skip: 0, limit: 100 })
        const dates = items.map(({ date }) => date).toReversed()
        expect(dates).toEqual(dates.toSorted())
      }
    }
    await Promise.all([repair(), startSome(), repair(), startSome(), listSome()])
    await repair()
    const { items, total } = await storage.payments.list(id, {}, EVERYTHING)
    const after = await storage.time()
    expect(items.map(payment => payment.id)).toEqual(Array.from({ length: 40 }, (_, n) => 40 - n))
    expect(total).toBe(40)
    const dates = items.map(({ date }) => Date.parse(date)).toReversed()
    expect(dates).toEqual(dates.toSorted((a, b) => a - b))
    const first = Math.floor(before.getTime() / 1000) * 1000
    expect(dates.every(date => date >= first && date <= after.getTime())).toBe(true)
    expect(await storage.payments.repairDates(id, null, 3)).toEqual({ payments: 0, cashUps: 0, done: true })
  })

  test('deliveries that were written, tried or put off by a wrong clock', async scene => {
    const { storage, merchant, completed } = scene
    const { id: merchantId } = await merchant({ webhookUrl: WEBHOOK_URL })
    const failed = { status: 500, error: 'answered 500', milliseconds: 1, answer: null }
    /** What is kept of a delivery that was written at `written` and, where it was tried, tried at `tried`. */
    const kept = async (written: number, tried: number | null, nextAttempt: number) => {
      const { id: paymentId } = await completed(merchantId, {}, at(written))
      const claim = {
        now: at(written),
        leaseUntil: at(tried === null ? nextAttempt : tried + 60),
        limit: 1000,
      }
      const mine = (await storage.deliveries.claim(claim)).find(claimed => claimed.paymentId === paymentId)
      if (!mine || tried === null) return
      const result = { merchantId, paymentId, fence: mine.fence, state: 'pending' as const }
      const attempt = { ...failed, at: at(tried) }
      await storage.deliveries.record({ ...result, nextAttemptAt: at(nextAttempt), attempt })
    }
    await kept(YEAR, YEAR, YEAR + 5) // all of it next year
    await kept(YEAR, 10, 36_000) // written next year, and tried since
    await kept(60, 60, 86_400) // by a clock that is as far ahead as may be
    await kept(-100, null, 46) // in flight: its lease ends soon
    await kept(-90, null, 3600) // leased by a clock that is an hour ahead
    await kept(-80, -80, 36_000) // waits for its turn, as it should
    await kept(-70, 3600, 3605) // tried by a clock that is an hour ahead
    await kept(-60, -60, YEAR) // put off by a year

    const range = { firstId: 1, lastId: 8 }
    expect(await storage.deliveries.repairDates(merchantId, { firstId: 1, lastId: 2 }, TIMES)).toBe(2)
    expect(await storage.deliveries.repairDates(merchantId, range, TIMES)).toBe(3)
    expect(await storage.deliveries.repairDates(merchantId, range, TIMES)).toBe(0)
    const { items } = await storage.deliveries.list(merchantId, undefined, EVERYTHING)
    const shown = items.map(one => [one.createdAt, one.lastAttemptAt, one.nextAttemptAt]).toReversed()
    expect(shown).toEqual([
      [at(0), at(0), at(0)],
      [at(0), at(10), at(0)],
      [at(60), at(60), at(86_400)],
      [at(-100), null, at(46)],
      [at(-90), null, at(0)],
      [at(-80), at(-80), at(36_000)],
      [at(-70), at(0), at(0)],
      [at(-60), at(-60), at(0)],
    ])
    const attempts = await storage.deliveries.attempts(merchantId, [1, 3, 7, 8])
    expect(attempts.map(attempt => attempt.at)).toEqual([at(0), at(60), at(0), at(-60)])
  })

  test('an endpoint that a wrong clock has paused is awake, and what rested is due', async scene => {
    const { storage, merchant, completed } = scene
    const { id: merchantId } = await merchant({ webhookUrl: WEBHOOK_URL })
    await completed(merchantId, {}, at(-20))
    const attempt = { at: at(-10), status: 500, error: 'answered 500', milliseconds: 1, answer: null }
    const [mine] = (await storage.deliveries.claim({ now: at(-10), leaseUntil: at(30), limit: 1000 })).filter(
      claimed => claimed.merchantId === merchantId,
    )
    const result = { merchantId, paymentId: 1, fence: mine?.fence ?? 0, state: 'pending' as const }
    await storage.deliveries.record({ ...result, nextAttemptAt: at(-5), attempt })
    expect(await storage.endpoints.repairDates(merchantId, TIMES)).toBe(false)
    expect(await storage.endpoints.pause(merchantId, at(YEAR), at(YEAR))).toBe(true)
    await storage.deliveries.claim({ now: at(0), leaseUntil: at(30), limit: 1000 })
    expect((await storage.deliveries.list(merchantId, undefined, EVERYTHING)).items[0]?.nextAttemptAt).toBe(
      null,
    )

    expect(await storage.endpoints.repairDates(merchantId, TIMES)).toBe(true)
    const endpoint = await storage.endpoints.get(merchantId)
    expect([endpoint?.failingSince, endpoint?.pausedAt]).toEqual([at(-10), null])
    expect((await storage.deliveries.list(merchantId, undefined, EVERYTHING)).items[0]?.nextAttemptAt).toBe(
      at(0),
    )
    expect(await storage.endpoints.repairDates(merchantId, TIMES)).toBe(false)
  })
}
