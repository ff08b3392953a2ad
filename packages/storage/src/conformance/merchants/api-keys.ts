import type { ApiKey } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, refusal, unique } from '../scene.ts'

function aKey(merchantId: string, fields: Partial<ApiKey> = {}): ApiKey {
  return { id: `key_${unique()}`, merchantId, label: null, createdAt: at(0), expiresAt: null, ...fields }
}

/** What a SHA-256 looks like. */
function aHash(): string {
  return unique().toString(16).padStart(64, 'abcdef0123456789')
}

export function apiKeys({ test, expect }: Checks): void {
  test('a key finds its merchant as it is now', async ({ storage, merchant }) => {
    const owner = await merchant()
    const hash = aHash()
    await storage.apiKeys.add(aKey(owner.id), hash)
    expect(await storage.apiKeys.findMerchant(hash, at(0))).toEqual({ merchant: owner, secondsLeft: null })
    const renamed = await storage.merchants.update(
      owner.id,
      { name: 'Renamed', features: { tips: true } },
      at(0),
    )
    expect(await storage.apiKeys.findMerchant(hash, at(0))).toEqual({ merchant: renamed, secondsLeft: null })
  })

  test('several keys live at a time', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const hashes = [aHash(), aHash(), aHash()] as const
    await storage.apiKeys.add(aKey(one.id), hashes[0])
    await storage.apiKeys.add(aKey(one.id), hashes[1])
    await storage.apiKeys.add(aKey(other.id), hashes[2])
    expect(await storage.apiKeys.findMerchant(hashes[0], at(0))).toEqual({ merchant: one, secondsLeft: null })
    expect(await storage.apiKeys.findMerchant(hashes[1], at(0))).toEqual({ merchant: one, secondsLeft: null })
    expect(await storage.apiKeys.findMerchant(hashes[2], at(0))).toEqual({
      merchant: other,
      secondsLeft: null,
    })
  })

  test('an unknown hash finds nobody', async ({ storage, merchant }) => {
    const hash = aHash()
    await storage.apiKeys.add(aKey((await merchant()).id), hash)
    for (const unknown of [...UNKNOWN_TEXTS, aHash(), hash.toUpperCase(), hash.slice(0, 63), `${hash} `]) {
      expect(await storage.apiKeys.findMerchant(unknown, at(0))).toBe(null)
    }
  })

  test('a key of an unknown merchant throws not_found and is not kept', async ({ storage }) => {
    const hash = aHash()
    expect(await refusal(storage.apiKeys.add(aKey('nobody'), hash))).toBe('not_found')
    expect(await storage.apiKeys.findMerchant(hash, at(0))).toBe(null)
    expect(await storage.apiKeys.list('nobody')).toEqual([])
  })

  test('the list is a merchant’s own, oldest first', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const keys = EDGE_TEXTS.map((label, n) => aKey(one.id, { label, createdAt: at(n / 1000) }))
    keys.unshift(aKey(one.id, { createdAt: at(-1) }))
    for (const key of keys) await storage.apiKeys.add(key, aHash())
    const others = aKey(other.id)
    await storage.apiKeys.add(others, aHash())
    expect(await storage.apiKeys.list(one.id)).toEqual(keys)
    expect(await storage.apiKeys.list(other.id)).toEqual([others])
    for (const unknown of UNKNOWN_TEXTS) expect(await storage.apiKeys.list(unknown)).toEqual([])
  })

  test('of one moment they come by their id, whichever was added first', async ({ storage, merchant }) => {
    const owner = await merchant()
    const { id } = aKey(owner.id)
    const keys = ['b', 'B', '_', '0', 'a'].map(last => aKey(owner.id, { id: `${id}${last}` }))
    for (const key of keys) await storage.apiKeys.add(key, aHash())
    expect(await storage.apiKeys.list(owner.id)).toEqual(keys.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

  test('a revoked key is dead at once, the others live', async ({ storage, merchant }) => {
    const owner = await merchant()
    const [dead, live] = [aKey(owner.id), aKey(owner.id)]
    const [deadHash, liveHash] = [aHash(), aHash()]
    await storage.apiKeys.add(dead, deadHash)
    await storage.apiKeys.add(live, liveHash)
    expect(await storage.apiKeys.revoke(owner.id, dead.id)).toBe(true)
    expect(await storage.apiKeys.findMerchant(deadHash, at(0))).toBe(null)
    expect(await storage.apiKeys.findMerchant(liveHash, at(0))).toEqual({
      merchant: owner,
      secondsLeft: null,
    })
    expect(await storage.apiKeys.list(owner.id)).toEqual([live])
    expect(await storage.apiKeys.revoke(owner.id, dead.id)).toBe(false)
  })

  test('nobody revokes a key that is not theirs', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const key = aKey(one.id)
    await storage.apiKeys.add(key, aHash())
    expect(await storage.apiKeys.revoke(other.id, key.id)).toBe(false)
    for (const unknown of [...UNKNOWN_TEXTS, key.id.toUpperCase(), `${key.id} `]) {
      expect(await storage.apiKeys.revoke(one.id, unknown)).toBe(false)
      expect(await storage.apiKeys.revoke(unknown, key.id)).toBe(false)
    }
    expect(await storage.apiKeys.list(one.id)).toEqual([key])
  })

  test('a key that expires is live until then, and says for how long yet', async ({ storage, merchant }) => {
    const owner = await merchant()
    const hash = aHash()
    const key = aKey(owner.id, { expiresAt: at(10.5) })
    await storage.apiKeys.add(key, hash)
    for (const [now, secondsLeft] of [
      [0, 10.5],
      [10.25, 0.25],
      [-20, 30.5],
    ] as const) {
      expect(await storage.apiKeys.findMerchant(hash, at(now))).toEqual({ merchant: owner, secondsLeft })
    }
    for (const now of [10.5, 11, 1_000_000]) {
      expect(await storage.apiKeys.findMerchant(hash, at(now))).toBe(null)
    }
    expect(await storage.apiKeys.list(owner.id)).toEqual([key])
    expect(await storage.apiKeys.revoke(owner.id, key.id)).toBe(true)
    expect(await storage.apiKeys.findMerchant(hash, at(0))).toBe(null)
  })
}
