import type { Slice } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type Count, type CountParameters, NO_BLOCKS } from '../../counts/count.ts'
import { columnsOf } from '../../schema/columns.ts'
import { unforeseen } from '../../schema/planner/unforeseen.ts'
import {
  BESIDE_PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Whole,
} from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import { prepareArraysEach } from '../../session/statements/prepared.ts'
import { countOf } from './counting.ts'
import { endOf, type PageParameters, pageSource } from './pages.ts'
import { formOf, type Search } from './passing.ts'

/** Queries of the payments in a run of ids that pass filters, one prepared form for each set of filters. */
export function matchingPayments({ builder, read, dialect }: Database) {
  const endsOf = (p: IdRange) => ({ first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) })
  const countForm = prepareArraysEach<Count, CountParameters, [total: Whole]>(
    count => p => builder.selectNoFrom(count.expression(p).as('total')),
  )
  const page = (filter: Search, p: PageParameters & IdRange) =>
    builder
      .selectFrom(pageSource(dialect, builder, filter, p, endsOf(p)).as('source'))
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'source'))
      .orderBy('source.id', 'desc')
      .limit(p.limit)
      .offset(p.skip)
  const sliceForm = prepareArraysEach<Search, PageParameters & IdRange, PaymentRow>(
    filter => p => page(filter, p),
  )
  type WithTotal = [...PaymentRow, total: Whole]
  const countedForm = prepareArraysEach<
    { filter: Search; count: Count },
    PageParameters & CountParameters,
    WithTotal
  >(
    ({ filter, count }) =>
      p =>
        page(filter, p).select(count.expression(p).as('total')),
  )

  return {
    /** How to count those that pass, one by one. */
    each: (filter: Search): Count => ({
      form: formOf(filter),
      expression: p => countOf(dialect, () => builder.selectFrom('payments'), filter, p, endsOf(p)),
      ends: NO_BLOCKS,
      known: 0,
    }),
    async count(merchantId: string, range: IdRange, filter: Search, count: Count): Promise<number> {
      const query = countForm(count.form, count)
      const [total = 0] = (await read.first(query({ ...filter, ...range, ...count.ends, merchantId }))) ?? []
      return count.known + Number(total)
    },
    slice(merchantId: string, range: IdRange, filter: Search, slice: Slice): Promise<PaymentRow[]> {
      const end = endOf(slice)
      return read.all(sliceForm(formOf(filter), filter)({ ...filter, ...range, ...slice, end, merchantId }))
    },
    /** A slice, and what is counted beside it, in one round trip; null for the count where the slice has nothing. */
    async sliceWithCount(merchantId: string, range: IdRange, filter: Search, slice: Slice, count: Count) {
      const form = countedForm(`${formOf(filter)}, ${count.form}`, { filter, count })
      const end = endOf(slice)
      const rows = await read.all(form({ ...filter, ...range, ...slice, ...count.ends, end, merchantId }))
      const [first] = rows
      return { rows, found: first ? count.known + Number(first[BESIDE_PAYMENT]) : null }
    },
  }
}
