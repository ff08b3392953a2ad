import { createSandbox } from '@tillkit/sandbox'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, TillError } from '@tillkit/till'
import { expect, test } from 'vitest'
import { addShop, openScene, shopOf, told } from './scene.ts'

test('a test key opens the test ledger, a live key the live one, and neither the other', async () => {
  const { live, liveKey, testKey, shop, liveShop } = await openScene()
  expect(testKey).toMatch(/^tk_test_[A-Za-z0-9]{38}$/)
  await live.scanCodes.create('coffee', { code: 'counter' })
  await live.payments.start({ scanCode: 'counter', totalAmount: 1 })
  expect(told(await shop.get('/payments')).json).toEqual([])
  expect(told(await liveShop.get('/payments')).json).toHaveLength(1)
  expect(await live.authenticate(testKey)).toBe(null)
  expect((await live.authenticate(liveKey))?.id).toBe('coffee')
})

test('below /sandbox a live key gets 404, none and a wrong one 401, another method 405', async () => {
  const { sandbox, liveShop, shop, testKey } = await openScene()
  for (const path of ['/sandbox/payments', '/sandbox/clock', '/sandbox/reset']) {
    expect((await liveShop.post(path)).status).toBe(404)
    expect((await liveShop.get(path)).status).toBe(404)
    for (const key of [null, `${testKey}x`, testKey.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))]) {
      expect((await shopOf(sandbox.handler, key).post(path)).status).toBe(401)
    }
  }
  expect((await shop.get('/sandbox/reset')).headers.Allow).toBe('POST')
  expect((await shop.get('/sandbox/nothing')).status).toBe(404)
})

test('what is cut from one kind of key or put before it makes no key of the other', async () => {
  const { live, sandbox, liveKey, testKey } = await openScene()
  const asTest = liveKey.replace('tk_', 'tk_test_')
  const asLive = testKey.replace('tk_test_', 'tk_')
  expect(await live.authenticate(asLive)).toBe(null)
  for (const key of [asTest, asLive]) {
    expect((await shopOf(sandbox.handler, key).get('/payments')).status).toBe(401)
  }
})

test('a mistyped test key and a live key cost the sandbox no read', async () => {
  const storage = memoryStorage()
  const { sandbox, testKey, liveShop } = await openScene({ storage })
  const asked: string[] = []
  const { findMerchant } = storage.apiKeys
  storage.apiKeys.findMerchant = (hash, now) => {
    asked.push(hash)
    return findMerchant(hash, now)
  }
  await shopOf(sandbox.handler, `${testKey.slice(0, -1)}`).get('/payments')
  await liveShop.get('/payments')
  expect(asked).toEqual([])
  await shopOf(sandbox.handler, testKey).get('/payments')
  expect(asked).toHaveLength(1)
})

test('test keys are listed, end and expire', async () => {
  const { sandbox, testKey, shop } = await openScene()
  const late = { expiresAt: '2020-01-01T00:00:00Z' }
  await expect(sandbox.apiKeys.issue('coffee', late)).rejects.toThrow('expiresAt must be in the future')
  await expect(sandbox.apiKeys.issue('nobody')).rejects.toThrow('merchant nobody is unknown')
  const brief = await sandbox.apiKeys.issue('coffee', { label: 'brief', expiresInSeconds: 3600 })
  const [first, second] = await sandbox.apiKeys.list('coffee')
  expect(second).toMatchObject({
    id: brief.id,
    merchantId: 'coffee',
    label: 'brief',
    expiresAt: brief.expiresAt,
  })
  expect((await shop.get('/payments')).status).toBe(200)
  await sandbox.apiKeys.revoke('coffee', first?.id ?? '')
  expect((await shop.get('/payments')).status).toBe(401)
  expect((await shopOf(sandbox.handler, brief.apiKey).get('/payments')).status).toBe(200)
  await expect(sandbox.apiKeys.revoke('coffee', first?.id ?? '')).rejects.toThrow('no such test key')
  expect(testKey).not.toBe(brief.apiKey)
})

test('the merchant is the live one: its features and its suspension', async () => {
  const { live, shop } = await openScene()
  await shop.post('/sandbox/scan_codes', { code: 'counter' })
  const pay = { totalAmount: 500, tipAmount: 100, userReference: 'Zoë' }
  expect(told(await shop.post('/sandbox/payments', pay)).json).toMatchObject({
    tipAmount: null,
    userReference: null,
  })
  await live.merchants.update('coffee', { features: { tips: true, userReferences: true, deviceLists: true } })
  const { json } = told(await shop.post('/sandbox/payments', { ...pay, deviceSerialNumber: 'D-1' }))
  expect(json).toMatchObject({ tipAmount: 100, userReference: 'Zoë' })
  expect(told(await shop.get('/payments')).json[0]).toMatchObject({ deviceSerialNumber: 'D-1' })
  await live.merchants.suspend('coffee')
  expect(told(await shop.get('/payments'))).toMatchObject({ status: 403, json: { code: 'suspended' } })
  await live.merchants.resume('coffee')
  expect((await shop.get('/payments')).status).toBe(200)
})

test('the live till’s own storage is refused', async () => {
  const storage = memoryStorage()
  const live = createTill({ storage, logger: false })
  await live.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  const sandbox = createSandbox(live, { storage })
  const refused = sandbox.apiKeys.issue('coffee')
  await expect(refused).rejects.toThrow('storage must not be that of the live till')
  await expect(refused).rejects.toBeInstanceOf(TillError)
  await expect(sandbox.till('coffee')).rejects.toThrow('storage must not be that of the live till')
  expect(await live.merchants.list()).toHaveLength(1)
})

test('options that are wrong are named', async () => {
  const live = createTill({ storage: memoryStorage(), logger: false })
  const wrong: [object, string][] = [
    [{ seed: 'with space' }, 'seed must be 1 to 64'],
    [{ startsAt: 'yesterday' }, 'startsAt must be an ISO 8601 date-time'],
    [{ maxPayments: 0 }, 'maxPayments must be 1 or more'],
    [{ storage: {} }, 'storage must be a storage'],
    [{ clock: Date.now }, 'clock is not a known name'],
    [{ webhooks: { retryDelays: [-1] } }, 'webhooks.retryDelays.0'],
    [{ api: { https: 'maybe' } }, "https must be 'required' or 'off'"],
  ]
  for (const [options, message] of wrong) expect(() => createSandbox(live, options)).toThrow(message)
  expect(() => createSandbox({} as typeof live)).toThrow('till must be what createTill returns')
})

test('two shops of one seed have the same ledgers, and each only its own', async () => {
  const { live, sandbox, shop } = await openScene()
  const { shop: books } = await addShop(live, sandbox, 'books')
  const pay = { totalAmount: 500, requiredAmount: 500, merchantReference: 'order-1' }
  const [first, second] = [
    await shop.post('/sandbox/payments', pay),
    await books.post('/sandbox/payments', pay),
  ]
  expect(second.body).toBe(first.body)
  await books.post('/sandbox/payments', pay)
  expect(told(await shop.get('/payments')).json).toHaveLength(1)
  expect(told(await books.get('/payments')).json).toHaveLength(2)
})
