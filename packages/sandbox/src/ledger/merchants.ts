import { AsyncLocalStorage } from 'node:async_hooks'
import { type Merchant, TillError } from '@tillkit/domain'
import type { MerchantStore } from '@tillkit/storage'
import { type Bound, merged, own } from './bound.ts'

/** Where a sealed key goes that is to be handed over and not kept. */
export const handedOver = new AsyncLocalStorage<(sealedKey: string) => void>()

const LIVE = 'is that of the live merchant: change it in the live till'

/** The one merchant of a ledger: a webhook URL and key of its own, all else the live merchant's. */
export function merchants(bound: Bound): MerchantStore {
  const { storage, shown, stored } = bound
  const shownOrNull = (merchant: Merchant | null) => merchant && merged(bound, merchant.webhookUrl)
  const refuse = async () => {
    throw new TillError('conflict', `a sandbox has one merchant, which ${LIVE}`)
  }

  return {
    create: refuse,
    suspend: refuse,
    resume: refuse,
    get: async id => (id === shown ? shownOrNull(await storage.merchants.get(stored)) : null),
    async update(id, { webhookUrl, ...rest }, now) {
      const [other] = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [name]))
      if (other !== undefined) throw new TillError('conflict', `${other} ${LIVE}`)
      return id === shown ? shownOrNull(await storage.merchants.update(stored, { webhookUrl }, now)) : null
    },
    async list({ after, limit }) {
      const merchant = await storage.merchants.get(stored)
      const isWanted = limit > 0 && (after === undefined || shown > after)
      return merchant && isWanted ? [merged(bound, merchant.webhookUrl)] : []
    },
    async setWebhookKey(id, sealedKey, until) {
      const handOver = handedOver.getStore()
      if (handOver === undefined) return storage.merchants.setWebhookKey(own(bound, id), sealedKey, until)
      handOver(sealedKey)
      return true
    },
  }
}
