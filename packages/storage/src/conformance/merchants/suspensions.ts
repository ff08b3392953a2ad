import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { aPayment, at, COMPLETED, refusal, type Scene, unique, WEBHOOK_URL } from '../scene.ts'

/** A merchant's scan code. */
export async function codeOf({ storage }: Scene, merchantId: string): Promise<string> {
  const code = `suspended-${unique()}`
  await storage.scanCodes.add({ code, merchantId, reference: null, createdAt: at(0) })
  return code
}

export function suspensions({ test, expect }: Checks): void {
  test('a suspended merchant is shown as one, since it first was, until it is resumed', async scene => {
    const { storage } = scene
    const owner = await scene.merchant({ webhookUrl: WEBHOOK_URL })
    const code = await codeOf(scene, owner.id)
    const suspended = { ...owner, suspendedAt: at(1.25) }
    expect(await storage.merchants.suspend(owner.id, at(1.25))).toEqual(suspended)
    expect(await storage.merchants.suspend(owner.id, at(2))).toEqual(suspended)
    expect(await storage.merchants.get(owner.id)).toEqual(suspended)
    expect((await storage.scanCodes.find(code))?.merchant).toEqual(suspended)
    expect((await storage.merchants.list({ limit: 1000 })).find(({ id }) => id === owner.id)).toEqual(
      suspended,
    )
    const renamed = { ...suspended, name: 'Renamed' }
    expect(await storage.merchants.update(owner.id, { name: 'Renamed' }, at(3))).toEqual(renamed)

    const resumed = { ...renamed, suspendedAt: null }
    expect(await storage.merchants.resume(owner.id)).toEqual(resumed)
    expect(await storage.merchants.resume(owner.id)).toEqual(resumed)
    expect(await storage.merchants.get(owner.id)).toEqual(resumed)
    expect((await storage.merchants.suspend(owner.id, at(4)))?.suspendedAt).toBe(at(4))
  })

  test('a suspended scan code is shown as one, since it first was, until it is resumed', async scene => {
    const { storage } = scene
    const owner = await scene.merchant()
    const [code, other] = [await codeOf(scene, owner.id), await codeOf(scene, owner.id)]
    const before = await storage.scanCodes.find(code)
    const suspended = { ...before?.scanCode, suspendedAt: at(1.25) }
    expect(await storage.scanCodes.suspend(code, at(1.25))).toEqual(suspended)
    expect(await storage.scanCodes.suspend(code, at(2))).toEqual(suspended)
    expect(await storage.scanCodes.find(code)).toEqual({ scanCode: suspended, merchant: owner })
    const shown = (await storage.scanCodes.list(owner.id)).map(one => [one.code, one.suspendedAt])
    expect(shown.sort()).toEqual(
      [
        [code, at(1.25)],
        [other, null],
      ].sort(),
    )
    expect(await storage.scanCodes.resume(code)).toEqual(before?.scanCode)
    expect(await storage.scanCodes.resume(code)).toEqual(before?.scanCode)
    expect(await storage.scanCodes.find(code)).toEqual(before)
  })

  test('what is not there is null', async ({ storage, merchant }) => {
    await merchant()
    for (const unknown of [...UNKNOWN_TEXTS, 'nobody']) {
      expect(await storage.merchants.suspend(unknown, at(0))).toBe(null)
      expect(await storage.merchants.resume(unknown)).toBe(null)
      expect(await storage.scanCodes.suspend(unknown, at(0))).toBe(null)
      expect(await storage.scanCodes.resume(unknown)).toBe(null)
    }
  })

  for (const strict of [false, true]) {
    const kind = strict ? 'a strict payment' : 'a payment'

    test(`${kind} is not started while its merchant is suspended, and takes no id`, async scene => {
      const { storage, start } = scene
      const [owner, other] = [await scene.merchant({ webhookUrl: WEBHOOK_URL }), await scene.merchant()]
      await storage.merchants.suspend(owner.id, at(0))
      const fields = { strict, merchantReference: 'order-1', attemptKey: 'a' }
      expect(await refusal(storage.payments.start(aPayment(owner.id, fields), at(1)))).toBe('conflict')
      expect(await refusal(storage.payments.start(aPayment(owner.id, fields), null))).toBe('conflict')
      expect(await scene.ids(owner.id)).toEqual([])
      expect(await storage.payments.findAttempt(owner.id, 'a')).toBe(null)
      expect((await start(other.id, fields)).id).toBe(1)
      await storage.merchants.resume(owner.id)
      expect((await start(owner.id, fields)).id).toBe(1)
    })

    test(`${kind} is not started on a scan code that is suspended, and on others it is`, async scene => {
      const { storage, start } = scene
      const owner = await scene.merchant()
      const [code, other] = [await codeOf(scene, owner.id), await codeOf(scene, owner.id)]
      await storage.scanCodes.suspend(code, at(0))
      const fields = { strict, scanCode: code, attemptKey: 'a' }
      expect(await refusal(storage.payments.start(aPayment(owner.id, fields), at(1)))).toBe('conflict')
      expect(await scene.ids(owner.id)).toEqual([])
      expect((await start(owner.id, { strict, scanCode: other })).id).toBe(1)
      await storage.scanCodes.resume(code)
      expect((await start(owner.id, fields)).id).toBe(2)
    })
  }

  test('what was started before goes on: its attempt is found, gets its outcome and its delivery', async scene => {
    const { storage, merchant, start } = scene
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const scanCode = await codeOf(scene, id)
    const fields = { scanCode, attemptKey: 'a' }
    const payment = await start(id, fields)
    await storage.merchants.suspend(id, at(0))
    await storage.scanCodes.suspend(scanCode, at(0))
    for (const strict of [false, true]) {
      const again = await storage.payments.start(aPayment(id, { ...fields, strict }), at(1))
      expect(again).toEqual({ payment, created: false })
    }
    const resolved = await storage.payments.resolve(payment, COMPLETED, at(2))
    expect(resolved).toEqual({ payment: { ...payment, status: 'completed' }, changed: true })
    expect((await storage.deliveries.list(id, 'pending', { skip: 0, limit: 10 })).total).toBe(1)
    await storage.payments.settle(id, 'BANK-1', [payment.id])
    const reference = await scene.cashUp(id, at(3))
    expect(await storage.cashUps.payments(id, reference, { skip: 0, limit: 10 })).toEqual({
      items: [{ ...payment, status: 'completed', statementReference: 'BANK-1' }],
      total: 1,
    })
  })
}
