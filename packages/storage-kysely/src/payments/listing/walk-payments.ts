import type { PaymentFilter } from '@tillkit/domain'
import type { IdRange, PaymentStore } from '@tillkit/storage'
import { columnsOf } from '../../schema/columns.ts'
import { unforeseen } from '../../schema/planner/unforeseen.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../../schema/rows/payment-row.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { prepareArraysEach } from '../../session/statements/prepared.ts'
import { formOf, passing, type Values, withoutDates } from './passing.ts'

type Parameters = Values & IdRange & { limit: number }

/** Payments of a run of ids that pass filters, the first ones first: one prepared form for each set of filters. */
export function walkPayments({ builder, read, dialect }: Database): PaymentStore['walk'] {
  const form = prepareArraysEach<PaymentFilter, Parameters, PaymentRow>((filter: PaymentFilter) => p => {
    const ends = { first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) }
    return passing(dialect, builder.selectFrom('payments'), filter, p, ends)
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .orderBy('id')
      .limit(p.limit)
  })

  return async (merchantId, filter, range, limit) => {
    if (range.last < range.first) return []
    const rest = withoutDates(filter)
    const rows = await read.all(form(formOf(rest), rest)({ ...rest, ...range, limit, merchantId }))
    return rows.map(row => toPayment(merchantId, row))
  }
}
