import type { NewPayment } from '@tillkit/domain'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'

const NOW = '2026-11-20T09:30:00.000Z'
const SLICE = { skip: 0, limit: 10 }

const merchant = () => ({
  id: 'shop-1',
  name: 'Shop',
  webhookUrl: 'https://shop.example/hook',
  features: { tips: true, userReferences: true, deviceLists: true },
  createdAt: NOW,
})

const attempt = (): NewPayment => ({
  ...{ merchantId: 'shop-1', totalAmount: 100, tipAmount: 0, scanCode: 'till-1', scanCodeReference: null },
  ...{ userReference: null, isVoucher: false, isVoucherRedemption: false, requiredAmount: null },
  ...{ merchantReference: null, authCode: null, deviceSerialNumber: null, strict: false },
  ...{ extra: { waiter: 'Ann' }, attemptKey: null },
})

/** Changes everything that can be changed of what a store was given or gave out. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    scribble(inner)
    if (typeof inner !== 'object') Reflect.set(value, name, 'scribble')
  }
  Reflect.set(value, 'scribble', true)
}

test('whoever changes what went in or came out changes nothing that is kept', async () => {
  const storage = memoryStorage()
  const given = [merchant(), attempt()] as const
  const scanCode = { code: 'till-1', merchantId: 'shop-1', reference: null, createdAt: NOW }
  const apiKey = { id: 'key_1', merchantId: 'shop-1', label: null, createdAt: NOW, expiresAt: null }
  await storage.merchants.create(given[0])
  await storage.scanCodes.add(scanCode)
  await storage.apiKeys.add(apiKey, 'hash')
  const key = { merchantId: 'shop-1', id: 1 }
  const started = await storage.payments.start(given[1], NOW)
  const resolved = await storage.payments.resolve(key, { status: 'completed' }, NOW, null, NOW)
  const made = await storage.cashUps.create('shop-1', { reference: 'c0de', idempotencyKey: 'k', now: NOW })
  const again = await storage.deliveries.requeue({ merchantId: 'shop-1', paymentId: 1 }, NOW)

  const everything = async () => [
    await storage.merchants.get('shop-1'),
    await storage.merchants.update('shop-1', {}, NOW),
    await storage.merchants.list({ limit: 10 }),
    await storage.apiKeys.findMerchant('hash', NOW),
    await storage.apiKeys.list('shop-1'),
    await storage.scanCodes.find('till-1'),
    await storage.scanCodes.list('shop-1'),
    await storage.payments.get(key),
    await storage.payments.resolve(key, { status: 'completed' }, NOW),
    await storage.payments.list('shop-1', {}, SLICE),
    await storage.cashUps.create('shop-1', { reference: 'other', idempotencyKey: 'k', now: NOW }),
    await storage.cashUps.list('shop-1', SLICE),
    await storage.cashUps.payments('shop-1', 'c0de', SLICE),
    await storage.deliveries.list('shop-1', undefined, SLICE),
  ]
  const before = structuredClone(await everything())
  scribble([...given, scanCode, apiKey, started, resolved, made, again])
  scribble(await everything())
  expect(await everything()).toEqual(before)

  const claim = { now: NOW, leaseUntil: NOW, limit: 1 }
  scribble(await storage.deliveries.claim(claim))
  const [held] = await storage.deliveries.claim(claim)
  expect(held?.payment).toEqual(before[7])
})

test('two stores share nothing', async () => {
  const [one, other] = [memoryStorage(), memoryStorage()]
  await one.merchants.create(merchant())
  expect(await other.merchants.get('shop-1')).toBe(null)
  await other.merchants.create(merchant())
})

test('what is refused says why in words fit to show', async () => {
  const storage = memoryStorage()
  await expect(storage.payments.start(attempt(), NOW)).rejects.toThrow('merchant shop-1 is unknown')
  await storage.merchants.create(merchant())
  await expect(storage.merchants.create(merchant())).rejects.toThrow('merchant shop-1 is taken')
  const scanCode = { code: 'till-1', merchantId: 'shop-1', reference: null, createdAt: NOW }
  await storage.scanCodes.add(scanCode)
  await expect(storage.scanCodes.add(scanCode)).rejects.toThrow('scan code till-1 is taken')
  await expect(storage.payments.settle('shop-1', 'BANK-1', [3])).rejects.toThrow(
    'merchant shop-1 has no payment 3',
  )
})
