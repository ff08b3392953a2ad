import type { Page, Payment, PaymentFilter } from '@tillkit/domain'
import type { IdRange, PaymentStore } from '@tillkit/storage'
import { listByTable } from '../../citus/list-payments.ts'
import { blockCounter } from '../../counts/block-counter.ts'
import { countAll } from '../../counts/count-all.ts'
import { countBetween } from '../../counts/count-between.ts'
import { countedRange } from '../../counts/nearest-blocks.ts'
import { toPayment } from '../../schema/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { countedSide, usesBlocks } from './counting.ts'
import { idRange, NO_IDS } from './id-range.ts'
import { listInOneStatement } from './list-in-one-statement.ts'
import { matchingPayments } from './matching-payments.ts'
import { newestPayments } from './newest-payments.ts'
import { withoutDates } from './passing.ts'
import { paymentsByArithmetic } from './payments-by-arithmetic.ts'

export function listPayments(database: Database): PaymentStore['list'] {
  const { composes, distributed } = database.dialect
  if (!composes) return listInSteps(database)
  const list = listInOneStatement(database)
  return distributed ? listByTable(database, list) : list
}

function listInSteps(database: Database): PaymentStore['list'] {
  const { read, dialect } = database
  const findRange = idRange(database)
  const byArithmetic = paymentsByArithmetic(database)
  const newest = newestPayments(database)
  const matching = matchingPayments(database)
  const findCounted = countedRange(database)
  const between = countBetween(database)
  const countWhole = countAll(database)
  const countAhead = blockCounter(database)

  /** The run of ids that the dates are, and how to count in it those that pass a filter of statuses or none. */
  async function lookAt(merchantId: string, filter: PaymentFilter, rest: PaymentFilter) {
    const { counted } = countedSide(rest)
    const plain = (range: IdRange) => () => matching.count(merchantId, range, counted)
    if (!usesBlocks(rest)) {
      const range = (await findRange(merchantId, filter)) ?? NO_IDS
      return { range, count: plain(range) }
    }
    if (dialect.oneWriter && filter.startDate === undefined && filter.endDate === undefined) {
      const { last, countedTo, total } = await countWhole(merchantId, counted.status ?? [])
      countAhead(merchantId, last - countedTo)
      return { range: { first: 1, last }, count: async () => total }
    }
    const { range, blocks } = await findCounted(merchantId, filter)
    countAhead(merchantId, range.last - (blocks?.newest.upTo ?? range.first - 1))
    if (blocks === null) return { range, count: plain(range) }
    return { range, count: () => between(merchantId, range, counted.status ?? [], blocks) }
  }

  return async (merchantId, filter, slice): Promise<Page<Payment>> => {
    // Where each step is a round trip, what can be found in one is.
    const page = dialect.oneWriter || Object.keys(filter).length > 0 ? null : await newest(merchantId, slice)
    if (page) return page
    const rest = withoutDates(filter)
    const { range, count } = await lookAt(merchantId, filter, rest)
    const size = range.last - range.first + 1
    if (size <= 0) return { items: [], total: 0 }
    if (Object.keys(rest).length === 0) return byArithmetic(merchantId, range, slice)
    const found = await count()
    const total = countedSide(rest).fails ? size - found : found
    const items = slice.skip < total ? await read.all(matching.slice(merchantId, range, rest, slice)) : []
    return { items: items.map(row => toPayment(merchantId, row)), total }
  }
}
