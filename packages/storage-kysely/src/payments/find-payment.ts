import type { PaymentKey } from '@tillkit/domain'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepareArrays } from '../session/prepared.ts'

/** One payment by its key. */
export function findPayment({ builder, dialect }: Database): Prepared<PaymentKey, PaymentRow> {
  return prepareArrays((p: PaymentKey) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id),
  )
}
