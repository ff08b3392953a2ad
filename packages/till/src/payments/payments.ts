import {
  isText,
  MAX_REFERENCE_LENGTH,
  ofProperties,
  pageRequest,
  paymentFilter,
  settlement,
  sliceOf,
  validate,
} from '@tillkit/domain'
import { assertType } from '../assert-type.ts'
import type { Context } from '../context.ts'
import { assertMerchant, assertMerchantId } from '../merchants/known-merchant.ts'
import type { Payments } from './calls.ts'
import { exportPayments } from './export-payments.ts'
import { failStale } from './fail-stale.ts'
import { reconcile } from './reconcile.ts'
import { complete, fail } from './resolve.ts'
import { startOnce } from './start-once.ts'
import { unresolved } from './unresolved.ts'

const paymentQuery = pageRequest.extend({ filter: ofProperties(paymentFilter).optional() })

export function payments(context: Context): Payments {
  const { storage } = context
  const once = startOnce(context)

  return {
    start: async payment => (await once(payment)).payment,
    startOnce: once,
    complete: complete(context),
    fail: fail(context),
    failStale: failStale(context),
    unresolved: unresolved(context),
    reconcile: reconcile(context),

    async settle(merchantId, input) {
      assertMerchantId(merchantId)
      const { statementReference, paymentIds } = validate(settlement, input, 'a settlement')
      await assertMerchant(storage, merchantId)
      await storage.payments.settle(merchantId, statementReference, [...new Set(paymentIds)])
    },

    async get(merchantId, id) {
      assertMerchantId(merchantId)
      assertType('number', id, 'id')
      return Number.isSafeInteger(id) ? storage.payments.get({ merchantId, id }) : null
    },

    async findAttempt(merchantId, attemptKey) {
      assertMerchantId(merchantId)
      if (attemptKey === null) return null
      assertType('string', attemptKey, 'attemptKey')
      return isText(attemptKey, MAX_REFERENCE_LENGTH)
        ? storage.payments.findAttempt(merchantId, attemptKey)
        : null
    },

    async list(merchantId, query) {
      assertMerchantId(merchantId)
      const { filter, ...page } = validate(paymentQuery, query ?? {}, 'a query')
      const found = await storage.payments.list(merchantId, filter ?? {}, sliceOf(page))
      if (found.total === 0) await assertMerchant(storage, merchantId)
      return found
    },

    export: exportPayments(context),
  }
}
