import type { Checks } from '../capability.ts'
import { aPayment, at, COMPLETED, type Scene } from '../scene.ts'
import { claim, failure, notified } from './delivery-scene.ts'

/** A `traceparent` that no other number has. */
function trace(n: number): string {
  const digits = n.toString(16)
  return `00-${digits.padStart(32, 'a')}-${digits.padStart(16, 'b')}-01`
}

const tracesOf = async (scene: Scene, seconds: number) =>
  (await claim(scene, seconds)).map(({ paymentId, traceparent }) => [paymentId, traceparent])

export function traces({ test, expect }: Checks): void {
  test('the trace of an outcome comes with each claim of its delivery', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    const traced = await start(id)
    const plain = await start(id)
    await storage.payments.resolve(traced, COMPLETED, at(0), trace(1))
    await storage.payments.resolve(plain, { status: 'error', failure: null }, at(1), null)
    const [first, second] = await claim(scene, 2, 62)
    expect([first?.traceparent, second?.traceparent]).toEqual([trace(1), null])
    if (first) await storage.deliveries.record(failure(first, 3, 100))
    expect(await tracesOf(scene, 1000)).toEqual([
      [2, null],
      [1, trace(1)],
    ])
  })

  test('the trace of a call that changed nothing is not kept', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    const payment = await start(id)
    await storage.payments.resolve(payment, COMPLETED, at(0), trace(2))
    await storage.payments.resolve(payment, COMPLETED, at(0), trace(3))
    expect(await tracesOf(scene, 1)).toEqual([[1, trace(2)]])
  })

  test('outcomes that are written together keep a trace each', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    const payments = await Promise.all(Array.from({ length: 12 }, () => start(id)))
    const traceOf = (n: number) => (n % 3 === 0 ? null : trace(100 + n))
    await Promise.all(
      payments.map(payment =>
        storage.payments.resolve(payment, COMPLETED, at(payment.id), traceOf(payment.id)),
      ),
    )
    expect(await tracesOf(scene, 60)).toEqual(payments.map((_, n) => [n + 1, traceOf(n + 1)]))
  })

  test('a refused payment’s delivery has the trace of its start', async scene => {
    const { storage } = scene
    const id = await notified(scene)
    const strict = aPayment(id, { strict: true, requiredAmount: 5000, merchantReference: 'order-1' })
    await storage.payments.start(strict, at(0), trace(4))
    expect(await tracesOf(scene, 1)).toEqual([[1, trace(4)]])
  })

  test('a delivery that is sent again keeps its trace, and one that was not there has none', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    await storage.payments.resolve(await start(id), COMPLETED, at(0), trace(5))
    await start(id)
    for (const paymentId of [1, 2])
      await storage.deliveries.requeue({ merchantId: id, paymentId }, at(paymentId))
    expect(await tracesOf(scene, 10)).toEqual([
      [1, trace(5)],
      [2, null],
    ])
  })
}
