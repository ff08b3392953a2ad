import type { PaymentStore } from '@tillkit/storage'
import { toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { findAttempt } from './find-attempt.ts'
import { findPayment } from './find-payment.ts'
import { listPayments } from './list-payments.ts'
import { resolvePayment } from './resolve-payment.ts'
import { settlePayments } from './settle-payments.ts'
import { startPayment } from './start-payment.ts'

export function paymentStore(database: Database): PaymentStore {
  const { builder, read, dialect } = database
  const find = findPayment(database)
  const attempt = findAttempt(database).plain
  const pendingDate = dialect.partialIndexes ? 'date' : 'pending_date'
  const findStale = prepare((p: { date: string; limit: number }) =>
    builder
      .selectFrom('payments')
      .select(['merchant_id', 'id'])
      .where('status', '=', 'pending')
      .where(pendingDate, '<=', p.date)
      .orderBy(pendingDate)
      .limit(p.limit),
  )

  return {
    start: startPayment(database),
    resolve: resolvePayment(database),
    settle: settlePayments(database),

    async get({ merchantId, id }) {
      const row = await read.first(find({ merchantId, id }))
      return row ? toPayment(row) : null
    },

    async findAttempt(merchantId, attemptKey) {
      const row = await read.first(attempt({ merchantId, attemptKey }))
      return row ? toPayment(row) : null
    },

    list: listPayments(database),

    async pendingSince(date, limit) {
      const rows = await read.all(findStale({ date: dialect.time(date), limit }))
      return rows.map(row => ({ merchantId: row.merchant_id, id: Number(row.id) }))
    },
  }
}
