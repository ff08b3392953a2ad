import { patchMerchant, TillError } from '@tillkit/domain'
import type { MerchantStore } from '../merchant-store.ts'
import { wake } from './deliveries/endpoints.ts'
import { copyMerchant, emptyAccount, type State } from './state.ts'

export function merchants(state: State): MerchantStore {
  return {
    async create(merchant) {
      if (state.accounts.has(merchant.id)) throw new TillError('conflict', `merchant ${merchant.id} is taken`)
      state.accounts.set(merchant.id, emptyAccount(copyMerchant({ ...merchant, suspendedAt: null })))
    },

    async get(id) {
      const account = state.accounts.get(id)
      return account ? copyMerchant(account.merchant) : null
    },

    async update(id, patch, now) {
      const account = state.accounts.get(id)
      if (!account) return null
      const { webhookUrl } = account.merchant
      account.merchant = patchMerchant(account.merchant, patch)
      if (account.merchant.webhookUrl !== webhookUrl) wake(account, now)
      return copyMerchant(account.merchant)
    },

    async suspend(id, now) {
      const merchant = state.accounts.get(id)?.merchant
      if (!merchant) return null
      merchant.suspendedAt ??= now
      return copyMerchant(merchant)
    },

    async resume(id) {
      const merchant = state.accounts.get(id)?.merchant
      if (!merchant) return null
      merchant.suspendedAt = null
      return copyMerchant(merchant)
    },

    async list({ after, limit }) {
      return [...state.accounts.values()]
        .map(({ merchant }) => merchant)
        .filter(({ id }) => after === undefined || id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(copyMerchant)
    },

    async setWebhookKey(id, sealedKey, until = null) {
      const account = state.accounts.get(id)
      if (!account) return false
      const { webhookKey, previousWebhookKey } = account
      const key = webhookKey === sealedKey ? (previousWebhookKey?.key ?? null) : webhookKey
      account.previousWebhookKey = key === null || until === null ? null : { key, until }
      account.webhookKey = sealedKey
      return true
    },
  }
}
