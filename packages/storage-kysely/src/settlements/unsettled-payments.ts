import type { IdRange, SettlementStore } from '@tillkit/storage'
import { passing } from '../payments/listing/passing.ts'
import { columnsOf } from '../schema/columns.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'

export function unsettledPayments({ builder, read, dialect }: Database): SettlementStore['unsettled'] {
  const findRun = prepareArrays<IdRange & { merchantId: string }, PaymentRow>(p => {
    const ends = { first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) }
    return passing(dialect, builder.selectFrom('payments'), { status: ['completed'] }, p, ends)
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('statement_reference', 'is', null)
      .orderBy('id')
  })
  return async (merchantId, first, last) => {
    const rows = await read.all(findRun({ merchantId, first, last }))
    return rows.map(row => toPayment(merchantId, row))
  }
}
