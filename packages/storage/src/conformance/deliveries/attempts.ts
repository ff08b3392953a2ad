import { type DeliveryAttempt, KEPT_ATTEMPTS } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, LONGEST_TEXT, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, EVERYTHING } from '../scene.ts'
import { claim, claimOne, failure, notified, only, shownAfter, success } from './delivery-scene.ts'

export function attempts({ test, expect }: Checks): void {
  test('a success ends a delivery', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const before = await only(scene, id)
    const result = success(await claimOne(scene, 1), 2.5)
    expect(await storage.deliveries.record(result)).toBe(true)
    const delivered = { ...before, ...shownAfter(result), attempts: 1 }
    expect(await only(scene, id)).toEqual(delivered)
    expect(await claim(scene, 1_000_000)).toEqual([])
    expect(await storage.deliveries.record(result)).toBe(false)
    expect(await only(scene, id)).toEqual(delivered)
  })

  test('a failure waits for its next attempt, the last one is exhausted', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const before = await only(scene, id)
    const retried = failure(await claimOne(scene, 0, 60), 1, 6.125, { error: LONGEST_TEXT })
    expect(await storage.deliveries.record(retried)).toBe(true)
    expect(await only(scene, id)).toEqual({ ...before, ...shownAfter(retried), attempts: 1 })

    expect(await claim(scene, 6.124)).toEqual([])
    const second = await claimOne(scene, 6.125)
    expect(second.attempts).toBe(1)
    const exhausted = failure(second, 8, null, { status: null, error: 'timed out after 15 s' })
    expect(await storage.deliveries.record(exhausted)).toBe(true)
    expect(await only(scene, id)).toEqual({ ...before, ...shownAfter(exhausted), attempts: 2 })
    expect(await claim(scene, 1_000_000)).toEqual([])
  })

  test('a result whose answer was lost is not counted twice', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const result = failure(await claimOne(scene, 0), 1, 6)
    expect(await storage.deliveries.record(result)).toBe(true)
    expect(await storage.deliveries.record(result)).toBe(false)
    expect((await only(scene, id))?.attempts).toBe(1)
    expect((await storage.deliveries.attempts(id, [1])).length).toBe(1)
  })

  test('who lost the lease writes nothing', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const stale = await claimOne(scene, 0, 60)
    const held = await claimOne(scene, 60, 120)
    const before = await only(scene, id)
    expect(await storage.deliveries.record(success(stale, 61))).toBe(false)
    expect(await only(scene, id)).toEqual(before)
    expect(await storage.deliveries.attempts(id, [1])).toEqual([])
    expect(await storage.deliveries.record(success(held, 1000))).toBe(true)
  })

  test('a result that cannot be kept is refused alone, and without its texts it is kept', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const poisons: Partial<DeliveryAttempt>[] = [
      { answer: 'a\0b' },
      { error: 'a\0b' },
      { answer: '\ud800' },
      { answer: 'x'.repeat(100_000) },
      { error: '\u{1f4b6}'.repeat(1025) },
      { milliseconds: 1.5 },
      { milliseconds: Number.NaN },
      { status: 200.5 },
      { status: 2 ** 80 },
    ]
    for (let n = 0; n < 2 * poisons.length; n++) await completed(id)
    const held = await claim(scene, 0, 1000)
    const results = held.map((lease, n) => failure(lease, 1, 2000, n % 2 === 0 ? {} : poisons[(n - 1) / 2]))
    const kept = await Promise.allSettled(results.map(result => storage.deliveries.record(result)))
    for (const [n, outcome] of kept.entries()) {
      if (n % 2 === 0) expect(outcome).toEqual({ status: 'fulfilled', value: true })
      if (outcome.status === 'fulfilled') continue
      const lease = held[n]
      if (!lease) throw new Error('there is no such lease')
      expect(
        await storage.deliveries.record(failure(lease, 1, 2000, { error: 'failed', answer: null })),
      ).toBe(true)
    }
    const { items } = await storage.deliveries.list(id, 'pending', EVERYTHING)
    expect(items.map(({ attempts, nextAttemptAt }) => [attempts, nextAttemptAt])).toEqual(
      held.map(() => [1, at(2000)]),
    )
  })

  test('a lease given back is due again, and void', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    await completed(id)
    const before = await claim(scene, 0, 1000)
    const [kept, given] = before
    if (!kept || !given) throw new Error('nothing was claimed')
    await storage.deliveries.release([given, { ...kept, fence: kept.fence - 1 }], at(5))
    await storage.deliveries.release([], at(5))
    for (const merchantId of UNKNOWN_TEXTS) await storage.deliveries.release([{ ...kept, merchantId }], at(5))
    expect(await claim(scene, 4.999)).toEqual([])
    const again = await claimOne(scene, 5, 1000)
    expect([again.paymentId, again.attempts, again.fence > given.fence]).toEqual([given.paymentId, 0, true])
    await storage.deliveries.release([given], at(6))
    expect(await storage.deliveries.record(success(given, 6))).toBe(false)
    expect(await storage.deliveries.record(success(again, 6))).toBe(true)
    await storage.deliveries.release([again], at(7))
    expect(await claim(scene, 999)).toEqual([])
  })

  test('a lease may be given back for later', async scene => {
    const id = await notified(scene)
    await scene.completed(id)
    await scene.storage.deliveries.release(await claim(scene, 0, 10), at(500))
    expect(await claim(scene, 499)).toEqual([])
    expect((await claimOne(scene, 500)).merchantId).toBe(id)
  })

  test('what came of each attempt is kept, of the newest ones', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const answers = [...EDGE_TEXTS, '', null, 'x'.repeat(1024), '\ufffd'.repeat(1024)]
    const all = []
    for (const [n, answer] of answers.entries()) {
      const status = n % 3 === 0 ? null : 500 + n
      const kept = { answer, status, milliseconds: n * 1000, error: `failure ${n}` }
      const result = failure(await claimOne(scene, 10 * n), 10 * n + 0.25, 10 * n + 5, kept)
      await storage.deliveries.record(result)
      all.push({ paymentId: 1, ...result.attempt })
      if (n === 5) await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(10 * n + 1))
    }
    expect(await storage.deliveries.attempts(id, [1])).toEqual(all.slice(-KEPT_ATTEMPTS))
  })

  test('an only attempt that was a success is kept like any, whatever follows it', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const answers = [EDGE_TEXTS.slice(0, 25).join(' '), '', null, 'x'.repeat(1024)]
    for (const _ of answers) await completed(id)
    const paymentIds = answers.map((_, n) => n + 1)
    const first = await Promise.all(
      (await claim(scene, 1, 10)).map(async lease => {
        const { paymentId } = lease
        const kept = { answer: answers[paymentId - 1] ?? null, milliseconds: paymentId }
        const result = success(lease, 2 + paymentId, kept)
        expect(await storage.deliveries.record(result)).toBe(true)
        return { paymentId, ...result.attempt }
      }),
    )
    first.sort((a, b) => a.paymentId - b.paymentId)
    expect(await storage.deliveries.attempts(id, paymentIds)).toEqual(first)

    const more = []
    for (const paymentId of [1, 2]) {
      await storage.deliveries.requeue({ merchantId: id, paymentId }, at(100))
      const lease = await claimOne(scene, 100, 200)
      const result = paymentId === 1 ? success(lease, 101) : failure(lease, 102, 300)
      expect(await storage.deliveries.record(result)).toBe(true)
      expect(await storage.deliveries.record(result)).toBe(false)
      more.push({ paymentId, ...result.attempt })
    }
    const second = success(await claimOne(scene, 300, 400), 301)
    expect(await storage.deliveries.record(second)).toBe(true)
    const [one, two, ...others] = first
    const [again, failed] = more
    expect(await storage.deliveries.attempts(id, paymentIds)).toEqual([
      ...[one, again, two, failed, { paymentId: 2, ...second.attempt }],
      ...others,
    ])
  })

  test('a success that cannot be kept is refused alone', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const poisons: Partial<DeliveryAttempt>[] = [
      { answer: 'a\0b' },
      { answer: '\ud800' },
      { answer: 'x'.repeat(100_000) },
      { milliseconds: 1.5 },
      { status: 2 ** 80 },
    ]
    for (let n = 0; n <= poisons.length; n++) await completed(id)
    const held = await claim(scene, 0, 1000)
    const results = held.map((lease, n) => success(lease, 1, poisons[n]))
    const kept = await Promise.allSettled(results.map(result => storage.deliveries.record(result)))
    expect(kept.at(-1)).toEqual({ status: 'fulfilled', value: true })
    for (const [n, outcome] of kept.entries()) {
      const lease = held[n]
      if (outcome.status === 'rejected' && lease) await storage.deliveries.record(success(lease, 1))
    }
    expect((await storage.deliveries.list(id, 'delivered', EVERYTHING)).total).toBe(held.length)
  })

  test('attempts are asked for by delivery', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const other = await notified(scene)
    for (const merchantId of [id, id, id, other]) await completed(merchantId)
    for (const held of await claim(scene, 0)) {
      if (held.merchantId !== id || held.paymentId !== 3) {
        await storage.deliveries.record(failure(held, held.paymentId, 100))
      }
    }
    const found = async (merchantId: string, ids: number[]) =>
      (await storage.deliveries.attempts(merchantId, ids)).map(({ paymentId, at }) => [paymentId, at])
    expect((await found(id, [1, 2, 3, 4, 1])).sort()).toEqual([
      [1, at(1)],
      [2, at(2)],
    ])
    expect(await found(id, [2])).toEqual([[2, at(2)]])
    expect(await found(id, [])).toEqual([])
    expect(await found(other, [2, 3])).toEqual([])
    for (const merchantId of UNKNOWN_TEXTS) expect(await found(merchantId, [1])).toEqual([])
  })

  test('a delivery that is not there is not recorded', async scene => {
    const id = await notified(scene)
    await scene.completed(id)
    const result = success(await claimOne(scene, 0), 1)
    for (const merchantId of UNKNOWN_TEXTS) {
      expect(await scene.storage.deliveries.record({ ...result, merchantId })).toBe(false)
    }
    expect(await scene.storage.deliveries.record({ ...result, paymentId: 2 })).toBe(false)
    expect((await only(scene, id))?.state).toBe('pending')
  })
}
