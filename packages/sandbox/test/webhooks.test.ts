import { DatabaseError, type Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { verifyWebhook } from '@tillkit/webhook-signer'
import { expect, test } from 'vitest'
import { openReceiver } from './receiver.ts'
import { addShop, openScene, type Shop, told } from './scene.ts'

const webhooks = { allowHttp: true, allowPrivateAddresses: true }

/** A shop whose test webhooks go to a receiver, and the key that signs them. */
async function openHookedShop(answer?: (nth: number) => number, storage?: Storage) {
  const receiver = await openReceiver(answer)
  const scene = await openScene({ webhooks, ...(storage && { storage }) })
  const { json } = told(await scene.shop.post('/sandbox/webhook', { url: receiver.url, issueKey: true }))
  return { ...scene, ...receiver, key: json.key as string }
}

const deliveries = async (shop: Shop) => told(await shop.get('/sandbox/webhooks')).json

test('the outcome of a payment by request is posted, signed and named as a test', async () => {
  const { shop, until, received, key } = await openHookedShop()
  const { json } = told(await shop.post('/sandbox/payments', { totalAmount: 1250 }))
  await until(1)
  const [webhook] = received
  const { body: rawBody = '', authorization } = webhook ?? {}
  expect(verifyWebhook({ rawBody, authorization, key })).toBe(true)
  expect(JSON.parse(new URLSearchParams(rawBody).get('payload') ?? '')).toEqual(json)
  expect([webhook?.id, webhook?.timestamp]).toEqual(['test:coffee:1', `${Date.parse('2026-01-01') / 1000}`])
  expect(told(await shop.get('/sandbox/webhook')).json).toEqual({ url: expect.stringContaining('/hook') })
})

test('a live payment goes to the live receiver and a test payment to the test one', async () => {
  const { live, shop, received } = await openHookedShop()
  await live.scanCodes.create('coffee', { code: 'counter' })
  await live.payments.complete(await live.payments.start({ scanCode: 'counter', totalAmount: 1 }))
  await shop.post('/sandbox/clock', { advanceSeconds: 1 })
  expect(received).toEqual([])
  expect((await live.merchants.get('coffee'))?.webhookUrl).toBe(null)
  expect(await live.webhooks.counts()).toMatchObject({ pending: 0 })
})

test('retries come when the clock is moved to them, at exactly their delays', async () => {
  const { shop, received } = await openHookedShop(nth => (nth < 4 ? 500 : 200))
  await shop.post('/sandbox/payments', { totalAmount: 1, delaySeconds: 10 })
  const move = (advanceSeconds: number) => shop.post('/sandbox/clock', { advanceSeconds })
  for (const [seconds, attempts, due] of [
    [10, 1, '2026-01-01T00:00:15.000Z'],
    [4, 1, '2026-01-01T00:00:15.000Z'],
    [1, 2, '2026-01-01T00:05:15.000Z'],
    [299, 2, '2026-01-01T00:05:15.000Z'],
    [1, 3, '2026-01-01T00:35:15.000Z'],
    [1800, 4, null],
  ] as const) {
    await move(seconds)
    expect([received.length, (await deliveries(shop))[0].nextAttemptAt]).toEqual([attempts, due])
  }
  expect(await deliveries(shop)).toEqual([
    {
      paymentId: 1,
      state: 'delivered',
      attempts: 4,
      nextAttemptAt: null,
      lastAttemptAt: '2026-01-01T00:35:15.000Z',
      lastStatus: 200,
      lastError: null,
    },
  ])
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
})

test('a webhook can be late, repeated, wrongly signed, or not sent at all', async () => {
  const { shop, received, key } = await openHookedShop()
  const pay = (webhook: unknown) => shop.post('/sandbox/payments', { totalAmount: 1, webhook })
  const move = (advanceSeconds: number) => shop.post('/sandbox/clock', { advanceSeconds })
  await pay({ delaySeconds: 30 })
  await move(29)
  expect(received).toEqual([])
  await move(1)
  expect(received).toHaveLength(1)

  await pay({ times: 3 })
  await move(1)
  expect(received.map(({ id }) => id)).toEqual(['test:coffee:1', ...Array(3).fill('test:coffee:2')])

  await pay({ corruptSignature: true })
  await move(1)
  const wrong = received[4]
  expect(wrong?.authorization).toMatch(/^Service signature=[0-9a-f]{64}$/)
  expect(verifyWebhook({ rawBody: wrong?.body ?? '', authorization: wrong?.authorization, key })).toBe(false)

  await pay(false)
  await move(1)
  expect(received).toHaveLength(5)
  expect((await deliveries(shop))[0]).toMatchObject({ paymentId: 4, state: 'exhausted' })

  expect(told(await shop.post('/sandbox/payments/1/redeliver')).json.id).toBe(1)
  await move(1)
  expect(received).toHaveLength(6)
  const good = received[5]
  expect(verifyWebhook({ rawBody: good?.body ?? '', authorization: good?.authorization, key })).toBe(true)
  expect((await shop.post('/sandbox/payments/9/redeliver')).status).toBe(404)
})

test('a reset empties the ledger and keeps the keys and the webhook', async () => {
  const { shop, received, key, until } = await openHookedShop()
  await shop.post('/sandbox/payments', { totalAmount: 1, outcome: 'pending' })
  await shop.post('/sandbox/clock', { advanceSeconds: 60 })
  expect(told(await shop.post('/sandbox/reset', { seed: 'another' })).json).toEqual({ seed: 'another' })
  expect(told(await shop.get('/payments')).json).toEqual([])
  expect(told(await shop.get('/sandbox/scan_codes')).json).toEqual([])
  expect(told(await shop.get('/sandbox/clock')).json).toEqual({
    now: '2026-01-01T00:00:00Z',
    seed: 'another',
  })
  expect(told(await shop.post('/sandbox/payments', { totalAmount: 2 })).json.id).toBe(1)
  await until(1)
  const [webhook] = received
  const { body: rawBody = '', authorization } = webhook ?? {}
  expect(verifyWebhook({ rawBody, authorization, key })).toBe(true)
})

test('a reset after one that was cut off has a seed of its own, and the webhook as it is now', async () => {
  const storage = memoryStorage()
  const { shop } = await openScene({ storage, webhooks })
  const url = 'https://shop.example.com/hook'
  await shop.post('/sandbox/webhook', { url })
  const { update } = storage.merchants
  storage.merchants.update = async (id, ...change) => {
    if (!/\.\d+$/.test(id)) throw new DatabaseError('the database cannot be reached')
    return update(id, ...change)
  }
  expect((await shop.post('/sandbox/reset', { seed: 'lost' })).status).toBe(503)
  storage.merchants.update = update
  await shop.post('/sandbox/webhook', { url: `${url}?moved` })
  expect(told(await shop.post('/sandbox/reset', { seed: 'another' })).json).toEqual({ seed: 'another' })
  expect(told(await shop.get('/sandbox/clock')).json).toMatchObject({ seed: 'another' })
  expect(told(await shop.get('/sandbox/webhook')).json).toMatchObject({ url: `${url}?moved` })
})

test('webhooks that a storage did not hand out are sent with the next', async () => {
  const storage = memoryStorage()
  const { shop, received, until } = await openHookedShop(undefined, storage)
  const { claim } = storage.deliveries
  const failed = Promise.withResolvers<void>()
  storage.deliveries.claim = async () => {
    storage.deliveries.claim = claim
    failed.resolve()
    throw new DatabaseError('the database cannot be reached')
  }
  await shop.post('/sandbox/payments', { totalAmount: 1 })
  await failed.promise
  await shop.post('/sandbox/payments', { totalAmount: 2 })
  await until(2)
  expect(received.map(({ id }) => id).toSorted()).toEqual(['test:coffee:1', 'test:coffee:2'])
})

test('an address that is not public is refused as it is live', async () => {
  const { url, received } = await openReceiver()
  const { shop } = await openScene({ webhooks: { allowHttp: true } })
  await shop.post('/sandbox/webhook', { url })
  await shop.post('/sandbox/payments', { totalAmount: 1 })
  await shop.post('/sandbox/clock', { advanceSeconds: 1 })
  expect(received).toEqual([])
  expect((await deliveries(shop))[0]).toMatchObject({ attempts: 1, lastStatus: null })
})

test('of two ledgers in one storage the clock of each moves its own webhooks alone', async () => {
  const [mine, theirs] = [await openReceiver(), await openReceiver()]
  const { live, sandbox, shop } = await openScene({ webhooks, storage: memoryStorage() })
  const { shop: books } = await addShop(live, sandbox, 'books')
  for (const [who, { url }] of [
    [shop, mine],
    [books, theirs],
  ] as const) {
    await who.post('/sandbox/webhook', { url })
    await who.post('/sandbox/payments', { totalAmount: 1, webhook: { delaySeconds: 60 } })
  }
  await shop.post('/sandbox/clock', { advanceSeconds: 120 })
  expect([mine.received.length, theirs.received.length]).toEqual([1, 0])
  expect((await deliveries(books))[0]).toMatchObject({
    attempts: 0,
    nextAttemptAt: '2026-01-01T00:01:00.000Z',
  })
  await books.post('/sandbox/clock', { advanceSeconds: 60 })
  expect([mine.received.length, theirs.received.length]).toEqual([1, 1])
})
