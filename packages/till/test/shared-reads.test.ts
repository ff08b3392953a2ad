import { setTimeout } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from './till-of.ts'

/** A store whose lookups of keys and codes wait at a gate, and are counted. */
function gated() {
  const storage = memoryStorage()
  let gate = Promise.resolve()
  const reads = { count: 0 }
  const behind =
    <Rest extends unknown[], Found>(find: (key: string, ...rest: Rest) => Promise<Found>) =>
    async (key: string, ...rest: Rest) => {
      reads.count += 1
      const found = await find(key, ...rest)
      await gate
      return found
    }
  const wrapped: Storage = {
    ...storage,
    apiKeys: { ...storage.apiKeys, findMerchant: behind(storage.apiKeys.findMerchant) },
    scanCodes: { ...storage.scanCodes, find: behind(storage.scanCodes.find) },
  }
  return {
    storage: wrapped,
    reads,
    close() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      gate = promise
      return { open: resolve, fail: reject }
    },
  }
}

const times = <Result>(count: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, work))

describe('thousands at once', () => {
  test('who authenticate with one key share one read', async () => {
    const { storage, reads } = gated()
    const { till, merchant } = await tillOf({ storage })
    const { apiKey } = await till.apiKeys.issue('shop')
    const found = await times(5000, () => till.authenticate(apiKey))
    expect(reads.count).toBe(1)
    expect(found.filter(one => one?.id === 'shop')).toHaveLength(5000)
    expect(found[4999]).toEqual(merchant)
  })

  test('who pay on one code share one read', async () => {
    const { storage, reads } = gated()
    const { pay } = await tillOf({ storage })
    await times(1000, () => pay())
    expect(reads.count).toBe(1)
  })

  test('with a key that nobody has share one read at a time, and the next reads again', async () => {
    const { storage, reads } = gated()
    const { till } = await tillOf({ storage })
    const { id, apiKey } = await till.apiKeys.issue('shop')
    await till.apiKeys.revoke('shop', id)
    for (const round of [1, 2]) {
      expect(new Set(await times(1000, () => till.authenticate(apiKey)))).toEqual(new Set([null]))
      expect(reads.count).toBe(round)
    }
  })
})

test('a read that fails fails for all who waited, and the next one reads again', async () => {
  const { storage, reads, close } = gated()
  const { till } = await tillOf({ storage })
  const { apiKey } = await till.apiKeys.issue('shop')
  const gate = close()
  const waiting = Promise.allSettled([1, 2, 3].map(() => till.authenticate(apiKey)))
  gate.fail(new Error('the database is away'))
  expect((await waiting).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  expect(reads.count).toBe(1)
  close().open()
  expect((await till.authenticate(apiKey))?.id).toBe('shop')
})

test('nobody joins a read from before a key was revoked, or a code was added', async () => {
  const { storage, close } = gated()
  const { till } = await tillOf({ storage })
  const { id, apiKey } = await till.apiKeys.issue('shop')
  const gate = close()
  const early = till.authenticate(apiKey)
  const lookup = refusal(till.payments.start({ scanCode: 'new', totalAmount: 1 }))
  await till.apiKeys.revoke('shop', id)
  await till.scanCodes.create('shop', { code: 'new' })
  const [late, paid] = [till.authenticate(apiKey), till.payments.start({ scanCode: 'new', totalAmount: 1 })]
  gate.open()
  expect((await early)?.id).toBe('shop')
  expect(await late).toBeNull()
  expect(await lookup).toMatch(/^not_found: /)
  expect((await paid).status).toBe('pending')
  expect(await till.authenticate(apiKey)).toBeNull()
})

test('a change whose answer was lost shows at once: the storage may have made it', async () => {
  const storage = memoryStorage()
  const lost =
    <Given extends unknown[]>(change: (...given: Given) => Promise<unknown>) =>
    async (...given: Given): Promise<never> => {
      await change(...given)
      throw new Error('the connection was cut')
    }
  const { till } = await tillOf({ storage, rememberSeconds: 3600 })
  const [first, second] = [await till.apiKeys.issue('shop'), await till.apiKeys.issue('shop')]
  for (const { apiKey } of [first, second]) expect(await till.authenticate(apiKey)).not.toBeNull()
  storage.apiKeys.revoke = lost(storage.apiKeys.revoke)
  await expect(till.apiKeys.revoke('shop', first.id)).rejects.toThrow('the connection was cut')
  expect(await till.authenticate(first.apiKey)).toBeNull()

  expect(await till.authenticate(second.apiKey)).toMatchObject({ suspendedAt: null })
  storage.merchants.suspend = lost(storage.merchants.suspend)
  await expect(till.merchants.suspend('shop')).rejects.toThrow('the connection was cut')
  expect(await till.authenticate(second.apiKey)).not.toMatchObject({ suspendedAt: null })
})

test('nobody who waited for the read of another is let in by a key that has expired meanwhile', async () => {
  const { storage, close } = gated()
  const { till, clock } = await tillOf({ storage })
  const { apiKey } = await till.apiKeys.issue('shop', { expiresInSeconds: 0.05 })
  const gate = close()
  const [reading, waiting] = [till.authenticate(apiKey), till.authenticate(apiKey)]
  await setTimeout(100)
  clock.now = new Date('2026-11-20T09:31:00Z')
  gate.open()
  expect((await reading)?.id).toBe('shop')
  expect(await waiting).toBeNull()
})

test('a key works as soon as it was issued', async () => {
  const { storage } = gated()
  const { till } = await tillOf({ storage })
  for (let n = 0; n < 20; n++) {
    const { apiKey } = await till.apiKeys.issue('shop')
    expect((await till.authenticate(apiKey))?.id).toBe('shop')
  }
})

test('whoever changes a merchant that was handed out changes a copy', async () => {
  const { till, merchant } = await tillOf()
  const { apiKey } = await till.apiKeys.issue('shop')
  const handedOut = await till.authenticate(apiKey)
  Object.assign(handedOut ?? {}, { id: 'other' })
  Object.assign(handedOut?.features ?? {}, { deviceLists: true })
  expect(await till.authenticate(apiKey)).toEqual(merchant)
})
