import type { DeliveryStore } from '@tillkit/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import { toAttempt } from '../schema/rows/readable-delivery.ts'
import { ATTEMPT_COLUMNS } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { isInColumns } from './delivery-keys.ts'
import { loneMilliseconds } from './lone-milliseconds.ts'

/** The attempts that have rows, and, of deliveries without, the only one, which stands in the delivery. */
export function listAttempts({ builder, read, dialect }: Database): DeliveryStore['attempts'] {
  const columns = columnsOf(dialect, 'delivery_attempts', ATTEMPT_COLUMNS)
  const areOf = (merchantId: string, paymentIds: readonly number[]) =>
    dialect.name === 'postgres'
      ? isInColumns(
          dialect,
          paymentIds.map(paymentId => ({ merchantId, paymentId })),
        )
      : sql<SqlBool>`merchant_id = ${merchantId} and payment_id in (${sql.join(paymentIds)})`
  const rowsOf = (are: RawBuilder<SqlBool>) =>
    builder
      .selectFrom('delivery_attempts')
      .select(columns)
      .where(are)
      .orderBy('payment_id')
      .orderBy('number')
      .compile()
  const loneOf = (are: RawBuilder<SqlBool>) =>
    builder
      .selectFrom('deliveries')
      .select('payment_id')
      .select(dialect.timeOf(sql.ref('last_attempt_at')).as('began_at'))
      .select(['last_status as status', 'lone_answer as answer'])
      .select(sql<Whole>`${loneMilliseconds('deliveries')}`.as('milliseconds'))
      .where(are)
      .where(loneMilliseconds('deliveries'), 'is not', null)
      .compile()

  return async (merchantId, paymentIds) => {
    if (paymentIds.length === 0) return []
    const are = areOf(merchantId, paymentIds)
    // In this order: one that gets a row meanwhile is there all the same.
    const lone = await read.all(loneOf(are))
    const attempts = (await read.all(rowsOf(are))).map(toAttempt)
    const known = new Set(attempts.map(({ paymentId }) => paymentId))
    const only = lone.map(row => toAttempt({ ...row, error: null })).filter(one => !known.has(one.paymentId))
    return [...attempts, ...only].sort((a, b) => a.paymentId - b.paymentId)
  }
}
