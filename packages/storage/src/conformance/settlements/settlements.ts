import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { EVERYTHING, refusal, type Scene } from '../scene.ts'

const statementReferences = async ({ storage }: Scene, merchantId: string) =>
  (await storage.payments.list(merchantId, {}, EVERYTHING)).items.map(payment => payment.statementReference)

export function settlements({ test, expect }: Checks): void {
  test('completed payments get their statement reference, others none', async ({
    storage,
    merchant,
    completed,
  }) => {
    const { id: merchantId } = await merchant()
    const payments = [await completed(merchantId), await completed(merchantId), await completed(merchantId)]
    await storage.payments.settle(merchantId, 'BANK-1', [1, 3])
    expect(await storage.payments.get({ merchantId, id: 1 })).toEqual({
      ...payments[0],
      statementReference: 'BANK-1',
    })
    expect(await storage.payments.get({ merchantId, id: 2 })).toEqual(payments[1])
    expect(await storage.payments.get({ merchantId, id: 3 })).toEqual({
      ...payments[2],
      statementReference: 'BANK-1',
    })
  })

  test('all or none: an unknown payment', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    await completed(id)
    for (const unknown of [2, 0, Number.MAX_SAFE_INTEGER]) {
      expect(await refusal(storage.payments.settle(id, 'BANK-1', [1, unknown]))).toBe('not_found')
      expect(await refusal(storage.payments.settle(id, 'BANK-1', [unknown, 1]))).toBe('not_found')
    }
    expect(await statementReferences(scene, id)).toEqual([null])
  })

  test('all or none: a payment that is not completed', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    await completed(id)
    await failed(id)
    await start(id)
    for (const ids of [[2], [3], [1, 2], [3, 1]]) {
      expect(await refusal(storage.payments.settle(id, 'BANK-1', ids))).toBe('conflict')
    }
    expect(await statementReferences(scene, id)).toEqual([null, null, null])
  })

  test('of several payments that cannot be settled the one with the lowest id is told of', async scene => {
    const { storage, merchant, completed, start } = scene
    const { id } = await merchant()
    await completed(id)
    await start(id)
    for (const ids of [
      [1, 2, 9],
      [9, 1, 2],
      [9, 2, 9],
    ]) {
      expect(await refusal(storage.payments.settle(id, 'BANK-1', ids))).toBe('conflict')
    }
    for (const ids of [
      [1, 2, 0],
      [0, 2, 9],
    ]) {
      expect(await refusal(storage.payments.settle(id, 'BANK-1', ids))).toBe('not_found')
    }
    expect(await statementReferences(scene, id)).toEqual([null, null])
  })

  test('all or none: a payment settled under another reference', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (let n = 0; n < 3; n++) await completed(id)
    await storage.payments.settle(id, 'BANK-1', [2])
    expect(await refusal(storage.payments.settle(id, 'BANK-2', [1, 2, 3]))).toBe('conflict')
    expect(await statementReferences(scene, id)).toEqual([null, 'BANK-1', null])
  })

  test('settling again under the same reference changes nothing', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (let n = 0; n < 3; n++) await completed(id)
    await storage.payments.settle(id, 'BANK-1', [1, 2])
    await storage.payments.settle(id, 'BANK-1', [1, 2])
    expect(await statementReferences(scene, id)).toEqual([null, 'BANK-1', 'BANK-1'])
    await storage.payments.settle(id, 'BANK-1', [3, 2, 3])
    expect(await statementReferences(scene, id)).toEqual(['BANK-1', 'BANK-1', 'BANK-1'])
  })

  test('settling nothing changes nothing', async scene => {
    const { id } = await scene.merchant()
    await scene.completed(id)
    await scene.storage.payments.settle(id, 'BANK-1', [])
    expect(await statementReferences(scene, id)).toEqual([null])
  })

  test('statement references are told apart to the letter', async ({ storage, merchant, completed, ids }) => {
    const { id: merchantId } = await merchant()
    for (const text of EDGE_TEXTS) {
      const { id } = await completed(merchantId)
      await storage.payments.settle(merchantId, text, [id])
      expect((await storage.payments.get({ merchantId, id }))?.statementReference).toBe(text)
      expect(await ids(merchantId, { statementReference: text })).toEqual([id])
      for (const other of EDGE_TEXTS.filter(one => one !== text)) {
        expect(await refusal(storage.payments.settle(merchantId, other, [id]))).toBe('conflict')
      }
    }
  })

  test('merchants settle their own payments alone', async scene => {
    const { storage, merchant, completed } = scene
    const [one, other] = [await merchant(), await merchant()]
    await completed(one.id)
    await completed(other.id)
    await completed(other.id)
    await storage.payments.settle(one.id, 'BANK-1', [1])
    expect(await refusal(storage.payments.settle(one.id, 'BANK-1', [1, 2]))).toBe('not_found')
    expect(await statementReferences(scene, other.id)).toEqual([null, null])
    for (const unknown of [...UNKNOWN_TEXTS, other.id.toUpperCase()]) {
      expect(await refusal(storage.payments.settle(unknown, 'BANK-1', [1]))).toBe('not_found')
    }
  })

  test('a settlement may be long', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    for (let n = 0; n < 200; n++) await completed(id)
    const ids = Array.from({ length: 200 }, (_, n) => n + 1)
    const tooMany = Array.from({ length: 70_000 }, (_, n) => n + 1)
    expect(await refusal(storage.payments.settle(id, 'BANK-1', tooMany))).toBe('not_found')
    expect(new Set(await statementReferences(scene, id))).toEqual(new Set([null]))
    await storage.payments.settle(id, 'BANK-1', ids)
    expect(new Set(await statementReferences(scene, id))).toEqual(new Set(['BANK-1']))
  })
}
