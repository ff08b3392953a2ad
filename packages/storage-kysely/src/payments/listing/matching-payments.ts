import type { PaymentFilter, Slice } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import type { CompiledQuery } from 'kysely'
import { columnsOf } from '../../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../../schema/payment-row.ts'
import { unforeseen } from '../../schema/unforeseen.ts'
import type { Database } from '../../session/database.ts'
import { prepareArraysEach, prepareEach } from '../../session/prepared.ts'
import { countOf } from './counting.ts'
import { endOf, type PageParameters, pageSource } from './pages.ts'
import { formOf } from './passing.ts'

type Parameters = PageParameters & IdRange

/** Queries of the payments in a run of ids that pass filters, one prepared form for each set of filters. */
export function matchingPayments({ builder, read, dialect }: Database) {
  const endsOf = (p: IdRange) => ({ first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) })
  const countForm = prepareEach(
    (filter: PaymentFilter) => (p: Parameters) =>
      builder.selectNoFrom(
        countOf(dialect, () => builder.selectFrom('payments'), filter, p, endsOf(p)).as('total'),
      ),
  )
  const sliceForm = prepareArraysEach<PaymentFilter, Parameters, PaymentRow>(
    (filter: PaymentFilter) => (p: Parameters) =>
      builder
        .selectFrom(pageSource(dialect, builder, filter, p, endsOf(p)).as('source'))
        .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'source'))
        .orderBy('source.id', 'desc')
        .limit(p.limit)
        .offset(p.skip),
  )

  return {
    async count(merchantId: string, range: IdRange, filter: PaymentFilter): Promise<number> {
      const query = countForm(formOf(filter), filter)
      const row = await read.first(query({ ...filter, ...range, skip: 0, limit: 0, end: 0, merchantId }))
      return Number(row?.total ?? 0)
    },
    slice(
      merchantId: string,
      range: IdRange,
      filter: PaymentFilter,
      slice: Slice,
    ): CompiledQuery<PaymentRow> {
      const end = endOf(slice)
      return sliceForm(formOf(filter), filter)({ ...filter, ...range, ...slice, end, merchantId })
    },
  }
}
