import { ofProperties, type Payment, paymentFilter, validate, whole } from '@tillkit/domain'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { assertMerchantId, unknownMerchant } from '../merchants/known-merchant.ts'
import type { Payments } from './calls.ts'

/** How many are held in memory at a time. */
const PAGE = 500

/** Through how many ids one page is looked for at most, where few of them pass. */
const WIDEST = 1 << 16

const exportOptions = z.strictObject({
  filter: ofProperties(paymentFilter).optional(),
  afterId: whole(0, Number.MAX_SAFE_INTEGER).default(0),
})

export function exportPayments({ storage }: Context): Payments['export'] {
  return async function* walk(merchantId, options): AsyncGenerator<Payment, void, undefined> {
    assertMerchantId(merchantId)
    const { filter = {}, afterId } = validate(exportOptions, options ?? {}, 'the options of an export')
    const { startDate, endDate, ...rest } = filter
    const whole = await storage.payments.idRange(merchantId, { startDate, endDate })
    if (whole === null) throw unknownMerchant(merchantId)

    let first = Math.max(whole.first, afterId + 1)
    let width = PAGE
    while (first <= whole.last) {
      const last = Math.min(first + width - 1, whole.last)
      const page = await storage.payments.walk(merchantId, rest, { first, last }, PAGE)
      yield* page
      const end = page.at(-1)
      const isFull = page.length === PAGE
      if (end && (end.id < first || end.id > last)) throw new Error('the storage walks out of the run of ids')
      first = (isFull && end ? end.id : last) + 1
      width = isFull ? Math.max(PAGE, width >> 1) : Math.min(2 * width, WIDEST)
    }
  }
}
