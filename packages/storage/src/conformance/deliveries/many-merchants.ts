import type { Merchant, Payment } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { times } from '../races/race.ts'
import { aPayment, at, COMPLETED, EVERYTHING, type Scene, unique, WEBHOOK_URL } from '../scene.ts'
import { takesLeases } from './leased-outcomes.ts'

/** More than a pool has connections, by far. */
const MANY = 40

const TRACE = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`

/** A payment of each of many merchants, each of another amount and each merchant's third. */
async function oneOfEach(
  scene: Scene,
  fieldsOf: (n: number) => Partial<Merchant> = () => ({}),
): Promise<Payment[]> {
  const merchants = await times(MANY, n => scene.merchant(fieldsOf(n)))
  return times(MANY, async n => {
    const { id } = merchants[n] ?? { id: '' }
    await scene.start(id)
    await scene.failed(id)
    return scene.start(id, { totalAmount: 100 + n, userReference: `"${n}" \\ {,}` })
  })
}

/** What a store may do for many merchants in one step, it does for each as if it were alone. */
export function manyMerchants({ test, expect }: Checks): void {
  test('reads at once: each its own payment, or none', async scene => {
    const payments = await oneOfEach(scene)
    const asked = [...payments, ...payments].flatMap(({ merchantId, id }) => [
      { merchantId, id },
      { merchantId, id: id + 1 },
      { merchantId: `${merchantId}"\\`, id },
    ])
    const found = await times(asked.length, n =>
      scene.storage.payments.get(asked[n] ?? { merchantId: '', id: 0 }),
    )
    expect(found).toEqual([...payments, ...payments].flatMap(payment => [payment, null, null]))
  })

  test('starts at once: each its own answer, as if it were alone', async scene => {
    const { storage } = scene
    const payments = await oneOfEach(scene)
    const others = await times(6, () => scene.merchant())
    const [stopped, codeless, keyed, strict, plain, early] = others.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    await storage.merchants.suspend(stopped, at(0))
    const code = `till-${unique()}`
    await storage.scanCodes.add({ code, merchantId: codeless, reference: null, createdAt: at(0) })
    await storage.scanCodes.suspend(code, at(0))
    const known = await scene.start(keyed, { attemptKey: 'key', totalAmount: 7 })
    const live = { strict: true, merchantReference: 'order-1' }
    await scene.start(strict, live)

    const attempts = [
      aPayment(stopped),
      aPayment(codeless, { scanCode: code }),
      aPayment('nobody'),
      aPayment(keyed, { attemptKey: 'key' }),
      aPayment(strict, live),
      aPayment(plain, { attemptKey: 'key', extra: { table: '7' }, isVoucher: true, tipAmount: 3 }),
      ...payments.map(({ merchantId }, n) => aPayment(merchantId, { totalAmount: 500 + n })),
      aPayment(early, { authCode: 'early' }),
    ]
    const answers = await Promise.allSettled(
      attempts.map((attempt, n) => storage.payments.start(attempt, at(n % 2 ? 60 : 90))),
    )
    const [first, second, third, ...started] = answers
    expect([first, second, third].map(one => one?.status)).toEqual(['rejected', 'rejected', 'rejected'])
    const fulfilled = started.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    expect(fulfilled.length).toBe(started.length)
    expect(fulfilled[0]).toEqual({ payment: known, created: false })
    expect([fulfilled[1]?.payment.id, fulfilled[1]?.payment.failure]).toEqual([2, 'reference_taken'])
    for (const [n, { payment, created }] of fulfilled.entries()) {
      if (n === 0) continue
      const { attemptKey: _, ...attempt } = attempts[n + 3] ?? aPayment('')
      expect(created).toBe(true)
      for (const [name, value] of Object.entries(attempt))
        expect(payment[name as keyof Payment]).toEqual(value)
      expect(payment.date).toBe(at((n + 3) % 2 ? 60 : 90).replace('.000', ''))
      const { merchantId, id } = payment
      expect((await storage.payments.list(merchantId, {}, EVERYTHING)).total).toBe(id)
      expect(await storage.payments.get({ merchantId, id })).toEqual(payment)
    }
    expect(fulfilled.slice(3, -1).map(({ payment }) => payment.id)).toEqual(payments.map(() => 4))
    expect((await storage.payments.list(stopped, {}, EVERYTHING)).total).toBe(0)
    expect((await storage.payments.list(codeless, {}, EVERYTHING)).total).toBe(0)
  })

  test('outcomes at once: each its own, with its own delivery', async scene => {
    const { storage } = scene
    const leases = await takesLeases(scene)
    const payments = await oneOfEach(scene, n => ({ webhookUrl: n === 0 ? null : WEBHOOK_URL }))
    const [silent, gone, ended] = payments
    if (!silent || !gone || !ended) throw new Error('there are as many as there are merchants')
    const before = await storage.payments.resolve(ended, COMPLETED, at(0))
    const answers = await times(MANY, n => {
      const payment = payments[n] ?? ended
      const key = payment === gone ? { ...payment, id: 99 } : payment
      const outcome = n % 3 ? COMPLETED : ({ status: 'error', failure: `no ${n}` } as const)
      return storage.payments.resolve(key, outcome, at(n), n % 2 ? TRACE : null, n % 4 ? at(600 + n) : null)
    })
    for (const [n, payment] of payments.entries()) {
      const { merchantId } = payment
      const answer = answers[n]
      const { items } = await storage.deliveries.list(merchantId, undefined, EVERYTHING)
      const delivery = items.find(({ paymentId }) => paymentId === payment.id)
      if (payment === gone) {
        expect(answer).toBe(null)
        expect(await storage.payments.get(payment)).toEqual(payment)
        continue
      }
      if (payment === ended) {
        expect([answer?.changed, answer?.payment]).toEqual([false, before?.payment])
        continue
      }
      const outcome = n % 3 ? { status: 'completed' } : { status: 'error', failure: `no ${n}` }
      expect(answer?.changed).toBe(true)
      expect(answer?.payment).toEqual({ ...payment, ...outcome })
      expect(await storage.payments.get(payment)).toEqual({ ...payment, ...outcome })
      if (payment === silent) {
        expect([delivery, answer?.claimed]).toEqual([undefined, undefined])
        continue
      }
      const leased = leases && n % 4 > 0
      expect(delivery?.createdAt).toBe(at(n))
      expect(delivery?.nextAttemptAt).toBe(leased ? at(600 + n) : at(n))
      expect(answer?.claimed !== undefined).toBe(leased)
      if (!leased) continue
      expect([answer?.claimed?.merchantId, answer?.claimed?.paymentId]).toEqual([merchantId, payment.id])
      expect(answer?.claimed?.payment).toEqual(answer?.payment)
      expect(answer?.claimed?.traceparent).toBe(n % 2 ? TRACE : null)
    }
  })
}
