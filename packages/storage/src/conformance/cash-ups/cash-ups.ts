import type { Page, Payment } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, COMPLETED, dateAt, EVERYTHING, newReference, refusal, type Scene } from '../scene.ts'

const NOTHING = { items: [], total: 0 }

/** The ids of the completed payments of one period, or the store's other answer. */
async function period({ storage }: Scene, merchantId: string, reference: string) {
  const found = await storage.cashUps.payments(merchantId, reference, EVERYTHING)
  return found === null || found === 'not_ready' ? found : found.items.map(({ id }) => id)
}

export function cashUps({ test, expect }: Checks): void {
  test('a cash up has its date and reference', async ({ storage, merchant }) => {
    const { id } = await merchant()
    const reference = newReference()
    const cashUp = await storage.cashUps.create(id, { reference, idempotencyKey: null, now: at(1.999) })
    expect(cashUp).toEqual({ date: dateAt(1), reference })
    expect(await storage.cashUps.list(id, EVERYTHING)).toEqual({ items: [cashUp], total: 1 })
  })

  test('an unknown merchant throws not_found', async ({ storage, merchant }) => {
    const { id } = await merchant()
    for (const unknown of [...UNKNOWN_TEXTS, id.toUpperCase()]) {
      const cashUp = { reference: newReference(), idempotencyKey: null, now: at(0) }
      expect(await refusal(storage.cashUps.create(unknown, cashUp))).toBe('not_found')
      expect(await storage.cashUps.list(unknown, EVERYTHING)).toEqual(NOTHING)
      expect(await storage.cashUps.payments(unknown, cashUp.reference, EVERYTHING)).toBe(null)
    }
    expect(await storage.cashUps.list(id, EVERYTHING)).toEqual(NOTHING)
  })

  test('the newest comes first, also within one second', async ({ storage, merchant, cashUp }) => {
    const { id } = await merchant()
    const references: string[] = []
    for (const seconds of [0, 1, 1, 1, 2, 2]) references.unshift(await cashUp(id, at(seconds)))
    const { items, total } = await storage.cashUps.list(id, EVERYTHING)
    expect(items.map(({ reference }) => reference)).toEqual(references)
    expect(items.map(({ date }) => date)).toEqual([2, 2, 1, 1, 1, 0].map(dateAt))
    for (let skip = 0; skip <= total + 1; skip++) {
      for (const limit of [1, 2, total, 100]) {
        const slice = await storage.cashUps.list(id, { skip, limit })
        expect(slice).toEqual({ items: items.slice(skip, skip + limit), total })
      }
    }
    const beyond = await storage.cashUps.list(id, { skip: Number.MAX_SAFE_INTEGER, limit: 100 })
    expect(beyond).toEqual({ items: [], total })
  })

  test('dates never go back when the clock does', async ({ storage, merchant, start, cashUp }) => {
    const { id } = await merchant()
    await start(id, {}, at(10))
    await cashUp(id, at(5))
    await cashUp(id, at(20))
    await cashUp(id, at(-3600))
    const { items } = await storage.cashUps.list(id, EVERYTHING)
    expect(items.map(({ date }) => date)).toEqual([dateAt(20), dateAt(20), dateAt(10)])
  })

  test('each payment is in the one period that it started in', async scene => {
    const { merchant, completed, cashUp } = scene
    const { id } = await merchant()
    const empty = await cashUp(id)
    for (let n = 0; n < 3; n++) await completed(id)
    const first = await cashUp(id)
    const between = await cashUp(id)
    await completed(id)
    await completed(id)
    const second = await cashUp(id)
    await completed(id)
    expect(await period(scene, id, empty)).toEqual([])
    expect(await period(scene, id, first)).toEqual([3, 2, 1])
    expect(await period(scene, id, between)).toEqual([])
    expect(await period(scene, id, second)).toEqual([5, 4])
  })

  test('a period is not ready while it holds a pending payment', async scene => {
    const { storage, merchant, start, completed, failed, cashUp } = scene
    const { id: merchantId } = await merchant()
    await completed(merchantId)
    await start(merchantId)
    await start(merchantId)
    await failed(merchantId)
    const reference = await cashUp(merchantId)
    await start(merchantId)

    expect(await period(scene, merchantId, reference)).toBe('not_ready')
    const beyond = { skip: 1000, limit: 1 }
    expect(await storage.cashUps.payments(merchantId, reference, beyond)).toBe('not_ready')
    await storage.payments.resolve({ merchantId, id: 3 }, COMPLETED, at(60))
    expect(await period(scene, merchantId, reference)).toBe('not_ready')
    await storage.payments.resolve({ merchantId, id: 2 }, { status: 'error', failure: null }, at(60))
    expect(await period(scene, merchantId, reference)).toEqual([3, 1])
  })

  test('a period’s payments are as they are by themselves, now', async scene => {
    const { storage, merchant, completed, failed, cashUp } = scene
    const { id } = await merchant()
    const payment = await completed(id, { merchantReference: 'order-1', extra: { waiter: 'Ann' } })
    await failed(id)
    const reference = await cashUp(id)
    expect(await storage.cashUps.payments(id, reference, EVERYTHING)).toEqual({ items: [payment], total: 1 })
    await storage.payments.settle(id, 'BANK-1', [1])
    const settled = { ...payment, statementReference: 'BANK-1' }
    expect(await storage.cashUps.payments(id, reference, EVERYTHING)).toEqual({ items: [settled], total: 1 })
  })

  test('slices of a period at every boundary', async ({ storage, merchant, completed, failed, cashUp }) => {
    const { id } = await merchant()
    await completed(id)
    await cashUp(id)
    for (let n = 0; n < 4; n++) {
      await completed(id)
      await failed(id)
    }
    const reference = await cashUp(id)
    await completed(id)
    const slice = (skip: number, limit: number) =>
      storage.cashUps.payments(id, reference, { skip, limit }) as Promise<Page<Payment>>
    const { items, total } = await slice(0, 100)
    expect(items.map(payment => payment.id)).toEqual([8, 6, 4, 2])
    expect(total).toBe(4)
    for (let skip = 0; skip <= 5; skip++) {
      for (const limit of [1, 2, 3, 4, 5]) {
        expect(await slice(skip, limit)).toEqual({ items: items.slice(skip, skip + limit), total })
      }
    }
    expect(await slice(Number.MAX_SAFE_INTEGER, 100)).toEqual({ items: [], total })
  })

  test('a reference that is not the merchant’s is null', async ({ storage, merchant, cashUp }) => {
    const [one, other] = [await merchant(), await merchant()]
    const reference = await cashUp(one.id)
    const wrong = [reference.toUpperCase(), `${reference} `, reference.slice(0, 31), newReference()]
    for (const unknown of [...UNKNOWN_TEXTS, ...wrong]) {
      expect(await storage.cashUps.payments(one.id, unknown, EVERYTHING)).toBe(null)
    }
    expect(await storage.cashUps.payments(other.id, reference, EVERYTHING)).toBe(null)
    expect(await storage.cashUps.list(other.id, EVERYTHING)).toEqual(NOTHING)
  })

  test('an idempotency key used before returns that cash up and changes nothing', async scene => {
    const { storage, merchant, start, completed } = scene
    const { id } = await merchant()
    const again = (now: string) =>
      storage.cashUps.create(id, { reference: newReference(), idempotencyKey: 'k', now })
    await completed(id)
    const first = await again(at(1))
    await completed(id)
    expect(await again(at(60))).toEqual(first)
    expect(await storage.cashUps.list(id, EVERYTHING)).toEqual({ items: [first], total: 1 })
    expect(await period(scene, id, first.reference)).toEqual([1])
    expect((await start(id, {}, at(2))).date).toBe(dateAt(2))

    await storage.payments.resolve({ merchantId: id, id: 3 }, COMPLETED, at(3))
    expect(await period(scene, id, await scene.cashUp(id, at(4)))).toEqual([3, 2])
    expect(await again(at(120))).toEqual(first)
  })

  test('idempotency keys are told apart to the letter and by merchant', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const create = (merchantId: string, idempotencyKey: string | null) =>
      storage.cashUps.create(merchantId, { reference: newReference(), idempotencyKey, now: at(0) })
    const made = new Map<string, string>()
    for (const key of EDGE_TEXTS) made.set(key, (await create(one.id, key)).reference)
    expect(new Set(made.values()).size).toBe(EDGE_TEXTS.length)
    for (const [key, reference] of made) expect((await create(one.id, key)).reference).toBe(reference)
    expect(made.has((await create(other.id, 'order-1')).reference)).toBe(false)
    await create(one.id, null)
    await create(one.id, null)
    expect((await storage.cashUps.list(one.id, EVERYTHING)).total).toBe(EDGE_TEXTS.length + 2)
  })

  test('merchants cash up on their own', async scene => {
    const { merchant, completed, cashUp } = scene
    const [one, other] = [await merchant(), await merchant()]
    await completed(one.id)
    await completed(other.id)
    await cashUp(one.id)
    await completed(other.id)
    expect(await period(scene, other.id, await cashUp(other.id))).toEqual([2, 1])
  })
}
