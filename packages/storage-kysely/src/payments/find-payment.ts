import type { PaymentKey } from '@tillkit/domain'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepare } from '../session/prepared.ts'

/** One payment by its key. */
export function findPayment({ builder }: Database): Prepared<PaymentKey, PaymentRow> {
  return prepare((p: PaymentKey) =>
    builder
      .selectFrom('payments')
      .select(PAYMENT_COLUMNS)
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id),
  )
}
