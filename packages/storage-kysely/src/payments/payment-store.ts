import type { PaymentStore } from '@tillkit/storage'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { repairPayments } from '../time/repair-payments.ts'
import { getPayment } from './get-payment.ts'
import { idRange } from './listing/id-range.ts'
import { listPayments } from './listing/list-payments.ts'
import { walkPayments } from './listing/walk-payments.ts'
import { pendingPayments } from './pending-payments.ts'
import { resolvePayment } from './resolve-payment.ts'
import { settlePayments } from './settle-payments.ts'
import { findAttempt } from './starting/find-attempt.ts'
import { startPayment } from './starting/start-payment.ts'

export function paymentStore(database: Database): PaymentStore {
  const { read } = database
  const attempt = findAttempt(database).plain
  return {
    start: startPayment(database),
    resolve: resolvePayment(database),
    settle: settlePayments(database),
    repairDates: repairPayments(database),

    get: getPayment(database),

    async findAttempt(merchantId, attemptKey) {
      const row = await read.first(attempt({ merchantId, attemptKey }))
      return row ? toPayment(merchantId, row) : null
    },

    list: listPayments(database),

    idRange: idRange(database),

    walk: walkPayments(database),

    pendingSince: pendingPayments(database),
  }
}
