import type { Checks } from '../capability.ts'
import { aPayment, at, COMPLETED, EVERYTHING, WEBHOOK_URL } from '../scene.ts'
import { count, idsHaveNoGap, times, wobbling } from './race.ts'

export function racingPayments({ test, expect }: Checks): void {
  test('racing starts: ids without a gap, dates in their order', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const returned = await times(60, n => start(id, { totalAmount: n }, wobbling(n)))
    idsHaveNoGap(expect, returned)
    const { items, total } = await storage.payments.list(id, {}, EVERYTHING)
    expect(total).toBe(60)
    expect(items).toEqual(returned.toSorted((a, b) => b.id - a.id))
  })

  test('racing starts over many merchants', async ({ storage, merchant, start }) => {
    const merchants = await times(10, () => merchant())
    await times(100, n => start(merchants[n % 10]?.id ?? '', {}, wobbling(n)))
    for (const { id } of merchants) {
      const { items, total } = await storage.payments.list(id, {}, EVERYTHING)
      expect(total).toBe(10)
      idsHaveNoGap(expect, items)
    }
  })

  test('racing outcomes: one changes it and writes one delivery', async ({ storage, merchant, start }) => {
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const payments = await times(5, () => start(id))
    for (const payment of payments) {
      const answers = await times(12, n =>
        storage.payments.resolve(payment, n % 2 ? COMPLETED : { status: 'error', failure: `${n}` }, at(n)),
      )
      const kept = await storage.payments.get(payment)
      expect(answers.filter(answer => answer?.changed).length).toBe(1)
      expect(answers.map(answer => answer?.payment)).toEqual(answers.map(() => kept))
    }
    const { items, total } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(total).toBe(5)
    expect(items.map(({ paymentId }) => paymentId)).toEqual([5, 4, 3, 2, 1])
  })

  test('racing strict starts: one is pending', async ({ storage, merchant, start }) => {
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    for (const merchantReference of ['order-1', 'order-2', '']) {
      const payments = await times(20, () => start(id, { strict: true, merchantReference }))
      const failures = payments.map(({ failure }) => failure)
      expect([count(failures, null), count(failures, 'reference_taken')]).toEqual([1, 19])
    }
    expect((await storage.payments.list(id, { status: ['pending'] }, EVERYTHING)).total).toBe(3)
    expect((await storage.deliveries.list(id, undefined, EVERYTHING)).total).toBe(57)
    idsHaveNoGap(expect, (await storage.payments.list(id, {}, EVERYTHING)).items)
  })

  test('racing strict starts and outcomes: never two successes', async ({
    storage,
    merchant,
    start,
    ids,
  }) => {
    const { id } = await merchant()
    await times(30, async n => {
      const payment = await start(id, { strict: true, merchantReference: `order-${n % 3}` })
      const outcome = n % 4 === 0 ? COMPLETED : ({ status: 'error', failure: null } as const)
      await storage.payments.resolve(payment, outcome, at(1))
    })
    for (const merchantReference of ['order-0', 'order-1', 'order-2']) {
      const successes = await ids(id, { merchantReference, status: ['completed'] })
      expect(successes.length <= 1).toBe(true)
    }
    idsHaveNoGap(expect, (await storage.payments.list(id, {}, EVERYTHING)).items)
  })

  test('racing attempts of one key: one payment, and one that created it', async scene => {
    const { id } = await scene.merchant()
    const attempts = await times(30, n => {
      const key = `k${n % 2}`
      return scene.storage.payments.start(aPayment(id, { attemptKey: key, merchantReference: key }), at(0))
    })
    expect(await scene.ids(id)).toEqual([2, 1])
    for (const key of ['k0', 'k1']) {
      const same = attempts.filter(({ payment }) => payment.merchantReference === key)
      expect(same.length).toBe(15)
      expect(same.filter(({ created }) => created).length).toBe(1)
      expect(new Set(same.map(({ payment }) => payment.id)).size).toBe(1)
    }
  })
}
