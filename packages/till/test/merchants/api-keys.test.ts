import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

/** A storage that counts how often a key's merchant is read. */
function counting(storage: Storage) {
  const reads = { count: 0 }
  const apiKeys: Storage['apiKeys'] = {
    ...storage.apiKeys,
    findMerchant: (hash, now) => {
      reads.count++
      return storage.apiKeys.findMerchant(hash, now)
    },
  }
  return { reads, storage: { ...storage, apiKeys } }
}

describe('API keys', () => {
  test('a key authenticates its merchant until it is revoked; several live side by side', async () => {
    const { till, merchant } = await tillOf()
    const first = await till.apiKeys.issue('shop', { label: 'server' })
    const second = await till.apiKeys.issue('shop')
    expect(first.apiKey).toMatch(/^tk_[A-Za-z0-9]{32,}$/)
    expect(await till.authenticate(first.apiKey)).toEqual(merchant)
    expect(await till.authenticate(second.apiKey)).toEqual(merchant)
    expect((await till.apiKeys.list('shop')).map(({ label }) => label).sort()).toEqual(
      [null, 'server'].sort(),
    )

    await till.apiKeys.revoke('shop', first.id)
    expect(await till.authenticate(first.apiKey)).toBeNull()
    expect(await till.authenticate(second.apiKey)).toEqual(merchant)
    expect(await refusal(till.apiKeys.revoke('shop', first.id))).toMatch(/^not_found: /)
  })

  test('only the hash of a key reaches the storage', async () => {
    const seen: string[] = []
    const storage = memoryStorage()
    const spy = {
      ...storage,
      apiKeys: {
        ...storage.apiKeys,
        add: async (...args: unknown[]) => void seen.push(JSON.stringify(args)),
      },
    }
    const { till } = await tillOf({ storage: spy })
    const { apiKey } = await till.apiKeys.issue('shop')
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toContain(apiKey)
    expect(seen[0]).not.toContain(apiKey.slice(3, 20))
  })

  test('a mistyped key costs no read, and a good one is read once in a while', async () => {
    const { storage, reads } = counting(memoryStorage())
    const { till } = await tillOf({ storage })
    const { apiKey } = await till.apiKeys.issue('shop')
    const last = apiKey.endsWith('A') ? 'B' : 'A'
    for (const wrong of [
      '',
      'tk_',
      apiKey.slice(0, -1) + last,
      apiKey.toLowerCase(),
      ` ${apiKey}`,
      `${apiKey}0`,
    ]) {
      expect(await till.authenticate(wrong)).toBeNull()
    }
    expect(await till.authenticate(undefined as never)).toBeNull()
    expect(reads.count).toBe(0)
    for (let i = 0; i < 5; i++) await till.authenticate(apiKey)
    expect(reads.count).toBe(1)
  })

  test('rememberSeconds 0 reads each time', async () => {
    const { storage, reads } = counting(memoryStorage())
    const { till } = await tillOf({ storage, rememberSeconds: 0 })
    const { apiKey } = await till.apiKeys.issue('shop')
    for (let i = 0; i < 3; i++) await till.authenticate(apiKey)
    expect(reads.count).toBe(3)
  })

  test('a key revoked while it was being read is not remembered', async () => {
    const storage = memoryStorage()
    const gate = Promise.withResolvers<void>()
    let held = false
    const slow: Storage = {
      ...storage,
      apiKeys: {
        ...storage.apiKeys,
        async findMerchant(hash, now) {
          const found = await storage.apiKeys.findMerchant(hash, now)
          if (held) await gate.promise
          return found
        },
      },
    }
    const { till } = await tillOf({ storage: slow })
    const { id, apiKey } = await till.apiKeys.issue('shop')
    held = true
    const underway = till.authenticate(apiKey)
    await till.apiKeys.revoke('shop', id)
    gate.resolve()
    await underway
    expect(await till.authenticate(apiKey)).toBeNull()
  })

  test('a key that expires is an unknown one from then on, and the list says when that is', async () => {
    const { till, clock, merchant } = await tillOf({ rememberSeconds: 0 })
    const dated = await till.apiKeys.issue('shop', {
      expiresAt: '2026-11-20T10:31:00+01:00',
      expiresInSeconds: null,
    })
    const counted = await till.apiKeys.issue('shop', { label: 'an hour', expiresInSeconds: 3600 })
    const lasting = await till.apiKeys.issue('shop', { expiresAt: null, expiresInSeconds: null })
    expect([dated.expiresAt, counted.expiresAt, lasting.expiresAt]).toEqual([
      '2026-11-20T09:31:00.000Z',
      '2026-11-20T10:30:00.250Z',
      null,
    ])
    const live = async () => [
      (await till.authenticate(dated.apiKey))?.id,
      (await till.authenticate(counted.apiKey))?.id,
      (await till.authenticate(lasting.apiKey))?.id,
    ]
    expect(await live()).toEqual([merchant.id, merchant.id, merchant.id])
    clock.now = new Date('2026-11-20T09:30:59.999Z')
    expect(await live()).toEqual([merchant.id, merchant.id, merchant.id])
    clock.now = new Date('2026-11-20T09:31:00.000Z')
    expect(await live()).toEqual([undefined, merchant.id, merchant.id])
    clock.now = new Date('2026-11-20T10:30:00.250Z')
    expect(await live()).toEqual([undefined, undefined, merchant.id])
    const listed = (await till.apiKeys.list('shop')).map(({ expiresAt }) => expiresAt)
    expect(listed.sort()).toEqual([dated.expiresAt, counted.expiresAt, null].sort())
    await till.apiKeys.revoke('shop', dated.id)
    expect(await till.apiKeys.list('shop')).toHaveLength(2)
  })

  test('by a clock of the host’s that is moved it is unknown at once, whatever is remembered', async () => {
    const { till, clock, merchant } = await tillOf({ rememberSeconds: 3600 })
    const { apiKey } = await till.apiKeys.issue('shop', { expiresInSeconds: 3600 })
    expect((await till.authenticate(apiKey))?.id).toBe(merchant.id)
    clock.now = new Date('2026-11-20T10:30:00.250Z')
    expect(await till.authenticate(apiKey)).toBeNull()
  })

  test('it is remembered for no longer, and never dies before its time', async () => {
    const storage = memoryStorage()
    const till = createTill({ storage, logger: false, rememberSeconds: 3600 })
    await till.merchants.create({ id: 'shop', name: 'Shop' })
    // By the storage's clock, which may be asked for in the last moment only.
    const { apiKey, expiresAt } = await till.apiKeys.issue('shop', { expiresInSeconds: 3 })
    let answers = 0
    while ((await till.authenticate(apiKey)) !== null) {
      answers++
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    expect(answers).toBeGreaterThan(0)
    expect(`${(await storage.time?.())?.toISOString()}` >= `${expiresAt}`).toBe(true)
    await till.close()
  })

  test('what is wrong with an expiry is named', async () => {
    const { till } = await tillOf()
    const issue = (options: object) => refusal(till.apiKeys.issue('shop', options))
    const at = '2026-11-20T09:30:00.250Z'
    expect(await issue({ expiresAt: at })).toBe('invalid_input: expiresAt must be in the future')
    expect(await issue({ expiresAt: new Date(0) })).toBe('invalid_input: expiresAt must be in the future')
    expect(await issue({ expiresAt: 'tomorrow' })).toMatch(/^invalid_input: expiresAt must be a Date or /)
    expect(await issue({ expiresAt: '2027-01-01T00:00:00Z', expiresInSeconds: 5 })).toBe(
      'invalid_input: expiresAt must not be given beside expiresInSeconds',
    )
    for (const expiresInSeconds of [0, -1, 1e10, Number.NaN, Number.POSITIVE_INFINITY, '5']) {
      expect(await issue({ expiresInSeconds })).toMatch(/^invalid_input: expiresInSeconds must be /)
    }
    expect(await till.apiKeys.list('shop')).toEqual([])
  })

  test('a change of the merchant shows at once', async () => {
    const { till } = await tillOf()
    const { apiKey } = await till.apiKeys.issue('shop')
    await till.authenticate(apiKey)
    await till.merchants.update('shop', { features: { deviceLists: true } })
    expect((await till.authenticate(apiKey))?.features.deviceLists).toBe(true)
  })

  test('an unknown merchant is not found', async () => {
    const till = createTill({ storage: memoryStorage() })
    expect(await refusal(till.apiKeys.issue('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.apiKeys.list('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.apiKeys.revoke('nobody', 'key_1'))).toMatch(/^not_found: /)
  })
})
