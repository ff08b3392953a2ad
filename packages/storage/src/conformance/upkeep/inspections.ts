import type { Storage } from '../../storage.ts'
import type { Checks } from '../capability.ts'
import { claim, failure, notified } from '../deliveries/delivery-scene.ts'
import { at, type Scene } from '../scene.ts'

type Counts = NonNullable<Awaited<ReturnType<NonNullable<Storage['inspect']>>>['counts']>

const PREFIXES = ['plain.', 'sealed.k1.', 'sealed.%.']

/** What a store counts at `at(seconds)`, one after another; null of one that does not tell. */
async function counted({ storage }: Scene, seconds: number): Promise<number[] | null> {
  const request = { now: at(seconds), longTransactionSeconds: 3600, webhookKeyPrefixes: PREFIXES }
  const counts = (await storage.inspect?.(request))?.counts
  return counts ? numbersOf(counts) : null
}

function numbersOf({
  pendingPayments,
  damagedDeliveries,
  suspendedMerchants,
  webhookKeys,
}: Counts): number[] {
  const pending = pendingPayments.map(({ count }) => count)
  return [...pending, damagedDeliveries, suspendedMerchants, webhookKeys.total, ...webhookKeys.withPrefix]
}

/** A store that has neither `migrated` nor `inspect` passes. */
export function inspections({ test, expect }: Checks): void {
  test('a store whose tables are there says that it is migrated', async ({ storage }) => {
    if (storage.migrated) expect(await storage.migrated()).toBe(true)
  })

  test('pending payments are counted by their age, and nothing else', async scene => {
    const { start, completed, failed, merchant } = scene
    const before = await counted(scene, 100_000)
    if (before === null) return
    const { id } = await merchant()
    for (const seconds of [0, 90_000, 97_000, 99_390, 99_400, 99_410]) await start(id, {}, at(seconds))
    await completed(id, {}, at(99_420))
    await failed(id, {}, at(99_420))
    // A clock that was wrong has dated this one ahead.
    await start(id, {}, at(100_010))
    const after = (await counted(scene, 100_000)) ?? []
    expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual([7, 5, 2, 1, 0, 0, 0, 0, 0, 0])
  })

  test('damaged deliveries, suspended merchants and keys by what they begin with are counted', async scene => {
    const { storage, merchant, completed } = scene
    const id = await notified(scene)
    const before = await counted(scene, 0)
    if (before === null) return
    await storage.deliveries.requeue({ merchantId: id, paymentId: 9 }, at(0))
    await completed(id, {}, at(1))
    const [lacking, whole] = await claim(scene, 10, 70, 2)
    if (!lacking || !whole) throw new Error('not both were claimed')
    const gone = { status: null, error: 'payment is gone' }
    await storage.deliveries.record({ ...failure(lacking, 11, null, gone), asked: false })
    await storage.deliveries.record(failure(whole, 11, null, { status: null, error: 'could not connect' }))
    await storage.merchants.suspend(id, at(0))
    for (const key of [
      'plain.whk_secret',
      'sealed.k1.secret',
      'sealed.k1.other',
      'sealed.k10.x',
      'PLAIN.x',
    ]) {
      await storage.merchants.setWebhookKey((await merchant()).id, key)
    }
    const after = (await counted(scene, 0)) ?? []
    expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual([0, 0, 0, 0, 1, 1, 5, 1, 2, 0])
    // One that is to be sent again is damaged no more, until it cannot be.
    await storage.deliveries.requeue({ merchantId: id, paymentId: lacking.paymentId }, at(12))
    expect((await counted(scene, 0))?.[4]).toBe(before[4])
  })

  test('what is found says nothing that is secret, and has a level and a sentence', async scene => {
    const { storage, merchant } = scene
    const { id } = await merchant({ webhookUrl: 'https://shop.example/hunter2' })
    await storage.merchants.setWebhookKey(id, 'plain.hunter2')
    const request = { now: null, longTransactionSeconds: 3600, webhookKeyPrefixes: [] }
    const found = await storage.inspect?.(request)
    if (!found) return
    expect(JSON.stringify(found).includes('hunter2')).toBe(false)
    expect([typeof found.engine, typeof found.version]).toEqual(['string', 'string'])
    for (const { level, check, says } of found.findings) {
      expect(['ok', 'note', 'warning', 'problem'].includes(level)).toBe(true)
      expect([/^[a-z]+$/.test(check), says.endsWith('.')]).toEqual([true, true])
    }
  })
}
