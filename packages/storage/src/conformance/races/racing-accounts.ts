import type { Checks } from '../capability.ts'
import { at, refusal, unique, WEBHOOK_URL } from '../scene.ts'
import { count, times } from './race.ts'

export function racingAccounts({ test, expect }: Checks): void {
  test('racing creates: one merchant, one scan code', async ({ storage, merchant }) => {
    const { id: merchantId } = await merchant()
    const contested = `contested-${unique()}`
    const code = { code: contested, merchantId, createdAt: at(0) }
    const features = { tips: false, userReferences: false, deviceLists: false }
    const shop = { id: contested, webhookUrl: null, features, createdAt: at(0) }
    const codes = await times(10, n => refusal(storage.scanCodes.add({ ...code, reference: `${n}` })))
    const shops = await times(10, n => refusal(storage.merchants.create({ ...shop, name: `${n}` })))
    for (const answers of [codes, shops]) {
      expect([count(answers, 'none'), count(answers, 'conflict')]).toEqual([1, 9])
    }
    expect((await storage.scanCodes.find(contested))?.scanCode.reference).toBe(`${codes.indexOf('none')}`)
    expect((await storage.merchants.get(contested))?.name).toBe(`${shops.indexOf('none')}`)
  })

  test('racing updates of different names all hold', async ({ storage, merchant }) => {
    const { id } = await merchant()
    await Promise.all([
      storage.merchants.update(id, { name: 'New name' }, at(0)),
      storage.merchants.update(id, { webhookUrl: WEBHOOK_URL }, at(0)),
      storage.merchants.update(id, { features: { tips: true } }, at(0)),
      storage.merchants.update(id, { features: { deviceLists: true } }, at(0)),
      storage.merchants.setWebhookKey(id, 'sealed'),
    ])
    const updated = await storage.merchants.get(id)
    expect([updated?.name, updated?.webhookUrl]).toEqual(['New name', WEBHOOK_URL])
    expect(updated?.features).toEqual({ tips: true, userReferences: false, deviceLists: true })
  })

  test('racing revocations: one did it', async ({ storage, merchant }) => {
    const { id: merchantId } = await merchant()
    const key = { id: `key_${unique()}`, merchantId, label: null, createdAt: at(0), expiresAt: null }
    await storage.apiKeys.add(key, `${unique()}`.padStart(64, 'd'))
    const answers = await times(10, () => storage.apiKeys.revoke(merchantId, key.id))
    expect(count(answers, true)).toBe(1)
  })
}
