import { type ApiKey, after, instant, type NewApiKey, newApiKey, validate } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { type IssuedApiKey, TillError } from '@tillkit/till'
import type { Accounts } from './accounts.ts'
import { accountId, type LedgerName } from './names.ts'
import { hashTestKey, isTestKey, makeTestKey, randomText } from './test-key-text.ts'

/** `sandbox.apiKeys`: as `till.apiKeys`, for keys that begin with `tk_test_`. */
export interface TestKeys {
  /**
   * Issues a test key of a live merchant. It is returned this once; only its SHA-256 is kept. Throws `not_found` for a
   * merchant that the live till does not know.
   */
  issue(merchantId: string, options?: NewApiKey): Promise<IssuedApiKey>
  /** The test keys that were not revoked, oldest first. */
  list(merchantId: string): Promise<ApiKey[]>
  /** Ends a test key at once, in every process. Throws `not_found` where there is none. */
  revoke(merchantId: string, id: string): Promise<void>
}

/** Test keys, and which ledger one opens. */
export function createTestKeys(
  storage: Storage,
  accounts: Accounts,
  assertLive: (merchantId: string) => Promise<unknown>,
): { apiKeys: TestKeys; ledgerOf: (testKey: string) => Promise<LedgerName | null> } {
  const time = async () => (storage.time ? await storage.time() : new Date())

  const apiKeys: TestKeys = {
    async issue(merchantId, options) {
      await assertLive(merchantId)
      const { label, expiresAt, expiresInSeconds } = validate(
        newApiKey,
        options ?? {},
        'the options of an API key',
      )
      await accounts.of(merchantId)
      const now = await time()
      if (expiresAt && expiresAt <= instant(now)) {
        throw new TillError('invalid_input', 'expiresAt must be in the future')
      }
      const apiKey = makeTestKey()
      const issued = {
        id: `key_${randomText(16)}`,
        expiresAt: expiresInSeconds ? instant(after(now, expiresInSeconds)) : (expiresAt ?? null),
      }
      const kept = {
        ...issued,
        merchantId: accountId(merchantId),
        label: label ?? null,
        createdAt: instant(now),
      }
      await storage.apiKeys.add(kept, hashTestKey(apiKey))
      return { ...issued, apiKey }
    },

    async list(merchantId) {
      await assertLive(merchantId)
      const keys = await storage.apiKeys.list(accountId(merchantId))
      return keys.map(key => ({ ...key, merchantId }))
    },

    async revoke(merchantId, id) {
      await assertLive(merchantId)
      const revoked = typeof id === 'string' && (await storage.apiKeys.revoke(accountId(merchantId), id))
      if (!revoked) throw new TillError('not_found', `merchant ${merchantId} has no such test key`)
    },
  }

  return {
    apiKeys,
    async ledgerOf(testKey) {
      if (!isTestKey(testKey)) return null
      const now = storage.time ? null : instant(new Date())
      const owner = await storage.apiKeys.findMerchant(hashTestKey(testKey), now)
      return owner && accounts.read(owner.merchant)
    },
  }
}
