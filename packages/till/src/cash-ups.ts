import { randomBytes } from 'node:crypto'
import { isText, newCashUp, pageRequest, shortened, sliceOf, TillError, validate } from '@tillkit/domain'
import { assertType } from './assert-type.ts'
import type { Context } from './context.ts'
import { assertMerchant, assertMerchantId } from './merchants/known-merchant.ts'
import type { CashUps } from './till.ts'

export function cashUps({ storage, clock }: Context): CashUps {
  return {
    async create(merchantId, options) {
      assertMerchantId(merchantId)
      const { idempotencyKey } = validate(newCashUp, options ?? {}, 'the options of a cash up')
      return storage.cashUps.create(merchantId, {
        reference: randomBytes(16).toString('hex'),
        idempotencyKey: idempotencyKey ?? null,
        now: clock.given(),
      })
    },

    async list(merchantId, page) {
      assertMerchantId(merchantId)
      const slice = sliceOf(validate(pageRequest, page ?? {}, 'a page'))
      const found = await storage.cashUps.list(merchantId, slice)
      if (found.total === 0) await assertMerchant(storage, merchantId)
      return found
    },

    async payments(merchantId, reference, page) {
      assertMerchantId(merchantId)
      assertType('string', reference, 'reference')
      const slice = sliceOf(validate(pageRequest, page ?? {}, 'a page'))
      const found = isText(reference, 32)
        ? await storage.cashUps.payments(merchantId, reference, slice)
        : null
      if (found === null) throw new TillError('not_found', `cash up ${shortened(reference)} is unknown`)
      if (found === 'not_ready') {
        throw new TillError(
          'not_ready',
          'The query is not ready: the period has pending payments. Try again shortly.',
        )
      }
      return found
    },
  }
}
