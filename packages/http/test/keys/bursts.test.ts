import { merchantApi, qrEndpoints } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { send } from '../fixture.ts'
import { memory } from './limited.ts'

/** Keys of the right form, which are known nowhere. */
const wrongKeys = await keysOf(createTill({ storage: memoryStorage() }), 3000)

async function keysOf(till: ReturnType<typeof createTill>, count: number): Promise<string[]> {
  const { id } = await till.merchants.create({ name: 'Corner Café' })
  const keys = Array.from({ length: count }, () => till.apiKeys.issue(id))
  return (await Promise.all(keys)).map(({ apiKey }) => apiKey)
}

/** A till with so many good keys, whose storage takes its turns about each read of a key or a code, and counts them. */
async function scene(goodKeys: number, turns: () => number = () => 1) {
  const storage = memoryStorage()
  let reads = 0
  async function slowly<Found>(read: () => Promise<Found>): Promise<Found> {
    reads += 1
    for (let turn = turns(); turn > 0; turn--) await new Promise(resolve => setImmediate(resolve))
    return read()
  }
  const till = createTill({
    storage: {
      ...storage,
      apiKeys: {
        ...storage.apiKeys,
        findMerchant: (hash, now) => slowly(() => storage.apiKeys.findMerchant(hash, now)),
      },
      scanCodes: { ...storage.scanCodes, find: code => slowly(() => storage.scanCodes.find(code)) },
    },
    logger: false,
  })
  return { till, good: await keysOf(till, goodKeys), reads: () => reads }
}

/** How many of the statuses of requests that are all sent at once are which. */
async function burst(requests: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('thousands of wrong keys at once are as many lookups as the limit, and then none', async () => {
  const { till, good, reads } = await scene(1)
  const api = merchantApi(till, { rateLimits: { perAddress: memory(60) } })
  const all = () => burst(wrongKeys.map(apiKey => send(api, '/payments', { apiKey })))
  expect(await all()).toEqual({ 401: 60, 429: wrongKeys.length - 60 })
  expect(reads()).toBe(60)
  expect(await all()).toEqual({ 429: wrongKeys.length })
  expect(await burst([send(api, '/payments', { apiKey: good[0] })])).toEqual({ 429: 1 })
  expect(reads()).toBe(60)
  const elsewhere = { apiKey: good[0], remoteAddress: '198.51.100.1' }
  expect(await burst([send(api, '/payments', elsewhere)])).toEqual({ 200: 1 })
})

test('good and wrong keys of one address at once: the wrong ones read no more than their limit', async () => {
  const { till, good, reads } = await scene(200)
  const api = merchantApi(till, { rateLimits: { perAddress: memory(60) } })
  const mixed = wrongKeys.flatMap((wrong, index) => [wrong, good[index % good.length]])
  const counts = await burst(mixed.map(apiKey => send(api, '/payments', { apiKey })))
  expect(counts[401]).toBe(60)
  expect(reads()).toBeLessThanOrEqual(60 + (counts[200] ?? 0))
  expect(counts[200]).toBeGreaterThan(0)
})

test('hundreds of good keys behind one address at once are not refused because of each other', async () => {
  const { till, good, reads } = await scene(500)
  const api = merchantApi(till, { rateLimits: { perAddress: memory(3) } })
  expect(await burst(wrongKeys.slice(0, 2).map(apiKey => send(api, '/payments', { apiKey })))).toEqual({
    401: 2,
  })
  expect(await burst(good.map(apiKey => send(api, '/payments', { apiKey })))).toEqual({ 200: 500 })
  expect(reads()).toBe(502)
})

test('without an address, wrong keys wait for each other and lock out no good one', async () => {
  const { till, good } = await scene(20)
  const api = merchantApi(till, { rateLimits: { perAddress: memory(5) } })
  const remoteAddress = undefined
  const wrong = burst(
    wrongKeys.slice(0, 500).map(apiKey => send(api, '/payments', { apiKey, remoteAddress })),
  )
  const right = burst(good.map(apiKey => send(api, '/payments', { apiKey, remoteAddress })))
  expect(await wrong).toEqual({ 401: 5, 429: 495 })
  expect(await right).toEqual({ 200: 20 })
})

test('a storage that fails lets those that wait try, and counts against nobody', async () => {
  const { till, good } = await scene(50)
  let failures = 30
  const authenticate: typeof till.authenticate = async apiKey => {
    if (failures-- > 0) throw new Error('away')
    return till.authenticate(apiKey)
  }
  const api = merchantApi({ ...till, authenticate }, { rateLimits: { perAddress: memory(4) } })
  expect(await burst(good.map(apiKey => send(api, '/payments', { apiKey })))).toEqual({ 200: 20, 500: 30 })
  expect(await burst(good.map(apiKey => send(api, '/payments', { apiKey })))).toEqual({ 200: 50 })
})

test('whatever takes how long, wrong keys are never looked up more often than the limit allows', async () => {
  const length = fc.integer({ min: 1, max: 40 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      length,
      length,
      fc.infiniteStream(fc.nat(5)),
      async (points, wrong, right, turns) => {
        const { till, good, reads } = await scene(right, () => turns.next().value ?? 0)
        const api = merchantApi(till, { rateLimits: { perAddress: memory(points) } })
        const keys = [...wrongKeys.slice(0, wrong), ...good].sort()
        const counts = await burst(keys.map(apiKey => send(api, '/payments', { apiKey })))
        expect(counts[401] ?? 0).toBe(Math.min(points, wrong))
        expect(reads()).toBe((counts[401] ?? 0) + (counts[200] ?? 0))
        if (wrong < points) expect(counts).toEqual({ 401: wrong, 200: right })
      },
    ),
    { numRuns: 50 },
  )
})

test('thousands of unknown codes at once are as many lookups as the limit', async () => {
  const { till, reads } = await scene(0)
  const qr = qrEndpoints(till, {
    qrBaseUrl: 'https://pay.example.com',
    rateLimits: { perAddress: memory(60) },
  })
  const ask = (index: number) => send(qr, `/code-${index}${['', '.svg', '.png'][index % 3]}`)
  expect(await burst(Array.from({ length: 3000 }, (_, index) => ask(index)))).toEqual({ 404: 60, 429: 2940 })
  expect(reads()).toBe(60)
})
