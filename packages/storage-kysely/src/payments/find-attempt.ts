import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepare } from '../session/prepared.ts'

/** Names an attempt within its merchant. */
interface AttemptKey {
  merchantId: string
  attemptKey: string
}

/** The payment that an attempt key started. */
export function findAttempt({ builder }: Database): Prepared<AttemptKey, PaymentRow> {
  return prepare((p: AttemptKey) =>
    builder
      .selectFrom('payments')
      .select(PAYMENT_COLUMNS)
      .where('merchant_id', '=', p.merchantId)
      .where('attempt_key', '=', p.attemptKey),
  )
}
