import { instant, secondsBetween } from '@tillkit/domain'
import type { ApiKeyStore } from '../api-key-store.ts'
import { oldestFirst } from './oldest-first.ts'
import { accountOf, copyMerchant, type State } from './state.ts'

export function apiKeys(state: State): ApiKeyStore {
  return {
    async add(apiKey, hash) {
      accountOf(state, apiKey.merchantId)
      state.apiKeys.set(hash, { ...apiKey })
    },

    async findMerchant(hash, given) {
      const apiKey = state.apiKeys.get(hash)
      if (!apiKey) return null
      const { merchantId, expiresAt } = apiKey
      const now = given ?? instant(new Date())
      const secondsLeft = expiresAt === null ? null : secondsBetween(now, expiresAt)
      if (secondsLeft !== null && secondsLeft <= 0) return null
      return { merchant: copyMerchant(accountOf(state, merchantId).merchant), secondsLeft }
    },

    async list(merchantId) {
      const own = [...state.apiKeys.values()].filter(apiKey => apiKey.merchantId === merchantId)
      return oldestFirst(own, ({ id }) => id).map(apiKey => ({ ...apiKey }))
    },

    async revoke(merchantId, id) {
      for (const [hash, apiKey] of state.apiKeys) {
        if (apiKey.merchantId === merchantId && apiKey.id === id) return state.apiKeys.delete(hash)
      }
      return false
    },
  }
}
