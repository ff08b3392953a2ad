import {
  after,
  instant,
  type Merchant,
  merchantPatch,
  merchantRange,
  newMerchant,
  newWebhookKey,
  patchMerchant,
  TillError,
  validate,
} from '@tillkit/domain'
import type { Context } from '../context.ts'
import { randomBase62 } from '../random-text.ts'
import type { Merchants } from '../till.ts'
import { assertMerchantId, unknownMerchant } from './known-merchant.ts'

export function merchants(context: Context): Merchants {
  const { storage } = context

  /** What is remembered of it is out of date, also where the storage rejects: it may have done it, and only the answer is lost. */
  const changed = async (id: string, change: Promise<Merchant | null>): Promise<Merchant> => {
    try {
      const merchant = await change
      if (merchant === null) throw unknownMerchant(id)
      return merchant
    } finally {
      context.keyOwners.forget()
      context.scanned.forget()
    }
  }

  return {
    async create(input) {
      const { id, name, webhookUrl, features } = validate(newMerchant, input, 'a merchant')
      assertWebhookUrl(webhookUrl, context.allowHttp)
      const blank: Merchant = {
        id: id ?? `m_${randomBase62(20)}`,
        name,
        webhookUrl: webhookUrl ?? null,
        features: { tips: false, userReferences: false, deviceLists: false },
        createdAt: instant(await context.clock.now()),
        suspendedAt: null,
      }
      const merchant = patchMerchant(blank, { features })
      await storage.merchants.create(merchant)
      return merchant
    },

    async get(id) {
      assertMerchantId(id)
      return storage.merchants.get(id)
    },

    async update(id, input) {
      assertMerchantId(id)
      const patch = validate(merchantPatch, input, 'a merchant patch')
      assertWebhookUrl(patch.webhookUrl, context.allowHttp)
      const at = instant(await context.clock.now())
      return changed(id, storage.merchants.update(id, patch, at))
    },

    suspend: async id => {
      assertMerchantId(id)
      const at = instant(await context.clock.now())
      return changed(id, storage.merchants.suspend(id, at))
    },

    resume: async id => {
      assertMerchantId(id)
      return changed(id, storage.merchants.resume(id))
    },

    list: async range => storage.merchants.list(validate(merchantRange, range ?? {}, 'a range of merchants')),

    async issueWebhookKey(id, options) {
      assertMerchantId(id)
      const { overlapSeconds } = validate(newWebhookKey, options ?? {}, 'the options of a webhook key')
      const until = overlapSeconds ? instant(after(await context.clock.now(), overlapSeconds)) : null
      const key = context.webhookKeys.make()
      if (!(await storage.merchants.setWebhookKey(id, context.webhookKeys.seal(id, key), until)))
        throw unknownMerchant(id)
      return key
    },
  }
}

function assertWebhookUrl(url: string | null | undefined, allowHttp: boolean): void {
  if (url && !allowHttp && new URL(url).protocol !== 'https:') {
    throw new TillError('invalid_input', 'webhookUrl must be https')
  }
}
