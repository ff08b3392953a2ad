import { pageRequest, paymentFilter, settlement, sliceOf, validate } from '@tillkit/domain'
import type { Context } from '../context.ts'
import type { Payments } from '../till.ts'
import { assertMerchant } from '../unknown-merchant.ts'
import { failStale } from './fail-stale.ts'
import { complete, fail } from './resolve.ts'
import { startOnce } from './start-once.ts'

const paymentQuery = pageRequest.extend({ filter: paymentFilter.optional() })

export function payments(context: Context): Payments {
  const { storage } = context
  const once = startOnce(context)

  return {
    start: async payment => (await once(payment)).payment,
    startOnce: once,
    complete: complete(context),
    fail: fail(context),
    failStale: failStale(context),

    async settle(merchantId, input) {
      const { statementReference, paymentIds } = validate(settlement, input, 'a settlement')
      await assertMerchant(storage, merchantId)
      await storage.payments.settle(merchantId, statementReference, [...new Set(paymentIds)])
    },

    get: async (merchantId, id) =>
      Number.isSafeInteger(id) ? storage.payments.get({ merchantId, id }) : null,

    async list(merchantId, query) {
      const { filter, ...page } = validate(paymentQuery, query ?? {}, 'a query')
      const found = await storage.payments.list(merchantId, filter ?? {}, sliceOf(page))
      if (found.total === 0) await assertMerchant(storage, merchantId)
      return found
    },
  }
}
