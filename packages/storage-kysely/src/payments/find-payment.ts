import type { PaymentKey } from '@tillkit/domain'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { type Prepared, prepareArrays } from '../session/statements/prepared.ts'

/** One payment by its key. */
export function findPayment(database: Database): Prepared<PaymentKey, PaymentRow> {
  return prepareArrays((p: PaymentKey) => paymentOf(database, p))
}

/** The same as it is now, once its row was waited for. */
export function findPaymentNow(database: Database): Prepared<PaymentKey, PaymentRow> {
  return prepareArrays((p: PaymentKey) => currentRead(database, paymentOf(database, p)))
}

/** The same as `findDone` reads it. */
export function findPaymentDone(database: Database): Prepared<PaymentKey, PaymentRow> {
  return prepareArrays((p: PaymentKey) => paymentOf(database, p).forKeyShare())
}

function paymentOf({ builder, dialect }: Database, p: PaymentKey) {
  return builder
    .selectFrom('payments')
    .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
}
