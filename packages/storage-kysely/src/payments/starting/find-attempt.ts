import { columnsOf } from '../../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import { currentRead } from '../../session/statements/current-read.ts'
import { type Prepared, prepareArrays } from '../../session/statements/prepared.ts'
import { hasAttemptKey } from './has-attempt-key.ts'

/** Names an attempt within its merchant. */
interface AttemptKey {
  merchantId: string
  attemptKey: string
}

/** The payment that an attempt key started; `locked` reads it with the merchant's lock held, `done` as `findDone` does. */
export function findAttempt(database: Database): {
  plain: Prepared<AttemptKey, PaymentRow>
  locked: Prepared<AttemptKey, PaymentRow>
  done: Prepared<AttemptKey, PaymentRow>
} {
  const { builder, dialect } = database
  const attempts = (p: AttemptKey) =>
    builder
      .selectFrom('payments')
      .where('merchant_id', '=', p.merchantId)
      .where(hasAttemptKey(dialect, p.attemptKey))
  const find = (p: AttemptKey) => attempts(p).select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
  return {
    plain: prepareArrays(find),
    locked: prepareArrays((p: AttemptKey) => currentRead(database, find(p))),
    // The key is looked for without a lock: PostgreSQL takes no index for its own condition of a row that it is to lock.
    done: prepareArrays((p: AttemptKey) =>
      builder
        .selectFrom('payments')
        .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
        .where('merchant_id', '=', p.merchantId)
        .where('id', '=', attempts(p).select('id'))
        .forKeyShare(),
    ),
  }
}
