import type { PaymentStore, PendingPayment } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { wireDateOf } from '../schema/dates.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../schema/rows.ts'
import { walk } from '../schema/walk.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

interface Parameters {
  date: string
  limit: number
  afterDate: string
  afterMerchantId: string
  afterId: number
}

/** Walks the index that holds the pending ones by date, merchant and id. */
export function pendingPayments({ builder, read, dialect }: Database): PaymentStore['pendingSince'] {
  const { time, upTo } = walk(dialect, 'pending')
  const until = (p: Parameters) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where(upTo(p.date))
      .orderBy(time)
      .orderBy('merchant_id')
      .orderBy('id')
      .limit(p.limit)
  const first = prepare(until)
  // Written out, since no engine but PostgreSQL looks for a row of values in an index; there it reads on where it left off.
  const next = prepare((p: Parameters) =>
    dialect.name === 'postgres'
      ? until(p).where(
          sql<SqlBool>`(${time}, merchant_id, id) > ((select ${p.afterDate}::timestamptz), ${p.afterMerchantId}, ${p.afterId})`,
        )
      : until(p)
          .where(time, '>=', p.afterDate)
          .where(({ eb, and, or }) =>
            or([
              eb(time, '>', p.afterDate),
              eb('merchant_id', '>', p.afterMerchantId),
              and([eb('merchant_id', '=', p.afterMerchantId), eb('id', '>', p.afterId)]),
            ]),
          ),
  )

  return async ({ date, after, limit }) => {
    const form = after === undefined ? first : next
    const rows = await read.all(
      form({
        date: dialect.time(date),
        limit,
        afterDate: dialect.time(after?.date ?? date),
        afterMerchantId: after?.merchantId ?? '',
        afterId: after?.id ?? 0,
      }),
    )
    return rows.map(toPending)
  }
}

function toPending(row: PaymentRow): PendingPayment {
  const key = { merchantId: row.merchant_id, id: Number(row.id), date: wireDateOf(row.date) }
  try {
    return { ...key, payment: toPayment(row) }
  } catch {
    return { ...key, payment: null }
  }
}
