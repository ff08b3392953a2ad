import { EXACT_FILTERS, PAYMENT_STATUSES, type Page, type Payment, type PaymentFilter } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { type IdRange, idRange } from './id-range.ts'
import { matchingPayments } from './matching-payments.ts'
import { paymentsByArithmetic } from './payments-by-arithmetic.ts'

export function listPayments(database: Database): PaymentStore['list'] {
  const { read } = database
  const findRange = idRange(database)
  const byArithmetic = paymentsByArithmetic(database)
  const matching = matchingPayments(database)

  /** How many payments of a run pass: statuses alone are counted from the side without `completed`, the rarer one. */
  async function count(merchantId: string, range: IdRange, filter: PaymentFilter): Promise<number> {
    const { status } = filter
    const exact = EXACT_FILTERS.some(name => filter[name] !== undefined)
    if (exact || !status?.includes('completed')) return matching.count(merchantId, range, filter)
    const others = PAYMENT_STATUSES.filter(other => !status.includes(other))
    return range.last - range.first + 1 - (await matching.count(merchantId, range, { status: others }))
  }

  return async (merchantId, filter, slice): Promise<Page<Payment>> => {
    const range = await findRange(merchantId, filter)
    if (range.last < range.first) return { items: [], total: 0 }
    const rest = withoutDates(filter)
    if (Object.keys(rest).length === 0) return byArithmetic(merchantId, range, slice)
    const total = await count(merchantId, range, rest)
    const items = slice.skip < total ? await read.all(matching.slice(merchantId, range, rest, slice)) : []
    return { items: items.map(toPayment), total }
  }
}

/** The filters that an id range does not answer; all three statuses are no filter at all. */
function withoutDates(filter: PaymentFilter): PaymentFilter {
  const rest: PaymentFilter = {}
  for (const name of EXACT_FILTERS) if (filter[name] !== undefined) rest[name] = filter[name]
  const status = PAYMENT_STATUSES.filter(one => filter.status?.includes(one))
  if (status.length > 0 && status.length < PAYMENT_STATUSES.length) rest.status = status
  return rest
}
