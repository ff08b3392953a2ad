import { isText, shortened, TillError, validate } from '@tillkit/domain'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { assertMerchantId, unknownMerchant } from '../merchants/known-merchant.ts'
import type { Reports } from './calls.ts'
import { inNumbers } from './in-numbers.ts'

const BY = 'must be hour or day'
const TIME_ZONE = 'must be the IANA name of a time zone, such as Europe/Berlin'

const periodOptions = z.strictObject({ reference: z.string().optional() })

const takingsOptions = z.strictObject({
  from: z.string(),
  to: z.string(),
  by: z.enum(['hour', 'day'], BY),
  timeZone: z.string(TIME_ZONE).max(100, TIME_ZONE),
})

export function reports({ storage }: Context): Reports {
  return {
    async period(merchantId, options) {
      assertMerchantId(merchantId)
      const { reference } = validate(periodOptions, options ?? {}, 'the options of a report')
      if (reference === undefined) {
        const open = await storage.reports.period(merchantId, null)
        if (open === null) throw unknownMerchant(merchantId)
        return inNumbers(open)
      }
      const closed = isText(reference, 32) ? await storage.reports.period(merchantId, reference) : null
      if (closed === null) throw new TillError('not_found', `cash up ${shortened(reference)} is unknown`)
      return inNumbers(closed)
    },

    async takings(merchantId, options) {
      if (merchantId !== null) assertMerchantId(merchantId)
      const range = validate(takingsOptions, options, 'the options of takings')
      // What knows time zones is only loaded where it is needed.
      const { stepsOf } = await import('./steps.ts')
      const bounds = stepsOf(range)
      const found = await storage.reports.takings(merchantId, bounds)
      if (found === null) throw unknownMerchant(merchantId ?? '')
      return found.map((sums, n) => ({ from: bounds[n] ?? '', ...inNumbers(sums) }))
    },
  }
}
