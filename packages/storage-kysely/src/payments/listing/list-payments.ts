import type { Page, Payment, PaymentFilter } from '@tillkit/domain'
import type { IdRange, PaymentStore } from '@tillkit/storage'
import { listByTable } from '../../citus/payments/list-payments.ts'
import { blockCounter } from '../../counts/block-counter.ts'
import type { Count } from '../../counts/count.ts'
import { countAll } from '../../counts/count-all.ts'
import { countBetween } from '../../counts/count-between.ts'
import { countedRange } from '../../counts/nearest-blocks.ts'
import { paymentsOf } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { seesThePast } from '../../session/statements/current-read.ts'
import { countedSide, usesBlocks } from './counting.ts'
import { idRange, NO_IDS } from './id-range.ts'
import { listInOneStatement } from './list-in-one-statement.ts'
import { matchingPayments } from './matching-payments.ts'
import { narrowest } from './narrowest.ts'
import { newestPayments } from './newest-payments.ts'
import { type Search, withoutDates } from './passing.ts'
import { paymentsByArithmetic } from './payments-by-arithmetic.ts'

export function listPayments(database: Database): PaymentStore['list'] {
  const { composes, distributed } = database.dialect
  if (!composes) return listInSteps(database)
  const list = listInOneStatement(database)
  return distributed && !database.usesShards ? listByTable(database, list) : list
}

/** So far a page is taken along with its total, where each step is a round trip: past its end all that pass would be read for nothing. */
const NEAR = 1000

function listInSteps(database: Database): PaymentStore['list'] {
  const { dialect } = database
  const findRange = idRange(database)
  const byArithmetic = paymentsByArithmetic(database)
  const newest = newestPayments(database)
  const searchOf = narrowest(database)
  const matching = matchingPayments(database)
  const findCounted = countedRange(database)
  const countWhole = countAll(database)
  const countAhead = blockCounter(database)
  // Where each step is a round trip, what can be found in one is.
  const skipsNewest = dialect.oneWriter || seesThePast(database)

  /** The run of ids that the dates are, and of those in it that are to be counted how many there are, or how to count them. */
  async function lookAt(
    merchantId: string,
    filter: PaymentFilter,
    rest: Search,
  ): Promise<{ range: IdRange; count: Count | number }> {
    const { counted } = countedSide(rest)
    if (!usesBlocks(rest)) {
      return { range: (await findRange(merchantId, filter)) ?? NO_IDS, count: matching.each(counted) }
    }
    const statuses = counted.status ?? []
    if (dialect.oneWriter && filter.startDate === undefined && filter.endDate === undefined) {
      const { last, countedTo, total } = await countWhole(merchantId, statuses)
      countAhead(merchantId, last - countedTo)
      return { range: { first: 1, last }, count: total }
    }
    const { range, blocks } = await findCounted(merchantId, filter)
    countAhead(merchantId, range.last - (blocks?.newest.upTo ?? range.first - 1))
    return { range, count: blocks ? countBetween(database, statuses, blocks) : matching.each(counted) }
  }

  return async (merchantId, filter, slice): Promise<Page<Payment>> => {
    const page = skipsNewest || Object.keys(filter).length > 0 ? null : await newest(merchantId, slice)
    if (page) return page
    const rest = await searchOf(merchantId, withoutDates(filter))
    const { range, count } = await lookAt(merchantId, filter, rest)
    const size = range.last - range.first + 1
    if (size <= 0) return { items: [], total: 0 }
    if (Object.keys(rest).length === 0) return byArithmetic(merchantId, range, slice)
    const totalOf = (found: number) => (countedSide(rest).fails ? size - found : found)
    if (typeof count === 'object' && !dialect.oneWriter && slice.skip <= NEAR) {
      const { rows, found } = await matching.sliceWithCount(merchantId, range, rest, slice, count)
      if (found !== null) return { items: paymentsOf(merchantId, rows), total: totalOf(found) }
      if (slice.skip === 0 && slice.limit > 0) return { items: [], total: 0 }
    }
    const found = typeof count === 'number' ? count : await matching.count(merchantId, range, rest, count)
    const total = totalOf(found)
    const rows = slice.skip < total ? await matching.slice(merchantId, range, rest, slice) : []
    return { items: paymentsOf(merchantId, rows), total }
  }
}
