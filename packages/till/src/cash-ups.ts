import { randomBytes } from 'node:crypto'
import { newCashUp, pageRequest, sliceOf, TillError, validate } from '@tillkit/domain'
import type { Context } from './context.ts'
import type { CashUps } from './till.ts'
import { assertMerchant } from './unknown-merchant.ts'

export function cashUps({ storage, now }: Context): CashUps {
  return {
    async create(merchantId, options) {
      const { idempotencyKey } = validate(newCashUp, options ?? {}, 'the options of a cash up')
      return storage.cashUps.create(merchantId, {
        reference: randomBytes(16).toString('hex'),
        idempotencyKey: idempotencyKey ?? null,
        now: now(),
      })
    },

    async list(merchantId, page) {
      const slice = sliceOf(validate(pageRequest, page ?? {}, 'a page'))
      const found = await storage.cashUps.list(merchantId, slice)
      if (found.total === 0) await assertMerchant(storage, merchantId)
      return found
    },

    async payments(merchantId, reference, page) {
      const slice = sliceOf(validate(pageRequest, page ?? {}, 'a page'))
      const found = await storage.cashUps.payments(merchantId, reference, slice)
      if (found === null) throw new TillError('not_found', `cash up ${reference} is unknown`)
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
