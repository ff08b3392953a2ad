import type { Page, Payment, Slice } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { columnsOf } from '../../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../../schema/payment-row.ts'
import { toPayment } from '../../schema/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { prepareArrays } from '../../session/prepared.ts'

type Run = IdRange & { merchantId: string }

/**
 * A slice of a run of ids, latest first. Since no id is missing, the slice is a run itself and the total a subtraction:
 * it costs the same however long the run and however deep the slice.
 */
export function paymentsByArithmetic({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, range: IdRange, slice: Slice) => Promise<Page<Payment>> {
  const findRun = prepareArrays<Run, PaymentRow>((p: Run) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('id', '>=', p.first)
      .where('id', '<=', p.last)
      .orderBy('id', 'desc'),
  )

  return async (merchantId, range, { skip, limit }) => {
    const last = range.last - skip
    const first = Math.max(range.first, last - limit + 1)
    const rows = last < range.first ? [] : await read.all(findRun({ merchantId, first, last }))
    return { items: rows.map(row => toPayment(merchantId, row)), total: range.last - range.first + 1 }
  }
}
