import type { PaymentKey } from '@tillkit/domain'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepare } from '../session/prepared.ts'

/** One payment by its key. */
export function findPayment({ builder, dialect }: Database): Prepared<PaymentKey, PaymentRow> {
  return prepare((p: PaymentKey) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id),
  )
}
