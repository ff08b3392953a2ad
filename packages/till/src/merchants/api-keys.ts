import {
  after,
  type Instant,
  instant,
  isText,
  newApiKey,
  shortened,
  TillError,
  validate,
} from '@tillkit/domain'
import type { z } from 'zod'
import { assertType } from '../assert-type.ts'
import type { Context } from '../context.ts'
import { randomBase62 } from '../random-text.ts'
import type { ApiKeys, Till } from '../till.ts'
import { hashApiKey, hasLengthOfApiKey, isApiKey, makeApiKey } from './api-key-text.ts'
import { assertMerchant, assertMerchantId } from './known-merchant.ts'

export function apiKeys({ storage, clock, keyOwners }: Context): ApiKeys {
  return {
    async issue(merchantId, options) {
      assertMerchantId(merchantId)
      const { label, ...life } = validate(newApiKey, options ?? {}, 'the options of an API key')
      const now = await clock.now()
      const expiresAt = expiryOf(life, now)
      const id = `key_${randomBase62(16)}`
      const apiKey = makeApiKey()
      await storage.apiKeys.add(
        { id, merchantId, label: label ?? null, createdAt: instant(now), expiresAt },
        hashApiKey(apiKey),
      )
      return { id, apiKey, expiresAt }
    },

    async list(merchantId) {
      assertMerchantId(merchantId)
      const keys = await storage.apiKeys.list(merchantId)
      if (keys.length === 0) await assertMerchant(storage, merchantId)
      return keys
    },

    async revoke(merchantId, id) {
      assertMerchantId(merchantId)
      assertType('string', id, 'id')
      try {
        if (isText(id, 64) && (await storage.apiKeys.revoke(merchantId, id))) return
        throw new TillError('not_found', `merchant ${merchantId} has no live API key ${shortened(id)}`)
      } finally {
        // Also where the storage rejects: it may have done it, and only the answer is lost.
        keyOwners.forget()
      }
    },
  }
}

export function authenticate({ keyOwners }: Context): Till['authenticate'] {
  return async apiKey => {
    if (!hasLengthOfApiKey(apiKey)) return null
    const hash = hashApiKey(apiKey)
    const owner = keyOwners.known(hash) ?? (isApiKey(apiKey) ? await keyOwners.get(hash) : null)
    if (owner === null) return null
    const { merchant } = owner
    // What is remembered is for others too: whoever changes a merchant that was handed out changes a copy.
    return { ...merchant, features: { ...merchant.features } }
  }
}

/** When a key expires; null where it does not. Throws `invalid_input` for a time that is not to come. */
function expiryOf(
  {
    expiresAt = null,
    expiresInSeconds = null,
  }: Pick<z.output<typeof newApiKey>, 'expiresAt' | 'expiresInSeconds'>,
  now: Date,
): Instant | null {
  if (expiresInSeconds !== null) return instant(after(now, expiresInSeconds))
  if (expiresAt !== null && expiresAt <= instant(now)) {
    throw new TillError('invalid_input', 'expiresAt must be in the future')
  }
  return expiresAt
}
