import type { PaymentFilter, Slice } from '@tillkit/domain'
import type { CompiledQuery } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import { countOf } from './counting.ts'
import type { IdRange } from './id-range.ts'
import { formOf, passing, type Values } from './passing.ts'

type Parameters = Values & IdRange & Slice

/** Queries of the payments in a run of ids that pass filters, one prepared form for each set of filters. */
export function matchingPayments({ builder, read, dialect }: Database) {
  const columns = columnsOf(dialect, 'payments', PAYMENT_COLUMNS)
  const matching = (filter: PaymentFilter, p: Parameters) =>
    passing(builder.selectFrom('payments'), filter, p, p)
  const countForm = prepareEach(
    (filter: PaymentFilter) => (p: Parameters) =>
      builder.selectNoFrom(countOf(() => builder.selectFrom('payments'), filter, p, p).as('total')),
  )
  const sliceForm = prepareEach(
    (filter: PaymentFilter) => (p: Parameters) =>
      matching(filter, p).select(columns).orderBy('id', 'desc').limit(p.limit).offset(p.skip),
  )

  return {
    async count(merchantId: string, range: IdRange, filter: PaymentFilter): Promise<number> {
      const query = countForm(formOf(filter), filter)
      const row = await read.first(query({ ...filter, ...range, skip: 0, limit: 0, merchantId }))
      return Number(row?.total ?? 0)
    },
    slice(
      merchantId: string,
      range: IdRange,
      filter: PaymentFilter,
      slice: Slice,
    ): CompiledQuery<PaymentRow> {
      return sliceForm(formOf(filter), filter)({ ...filter, ...range, ...slice, merchantId })
    },
  }
}
