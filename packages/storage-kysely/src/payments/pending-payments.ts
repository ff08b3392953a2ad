import type { PaymentStore, PendingPayment } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { wireDateOf } from '../schema/dates.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import { toPayment } from '../schema/to-payment.ts'
import { walk } from '../schema/walk.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'

type Row = [...PaymentRow, merchantId: string]

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
      .select('merchant_id')
      .where(upTo(p.date))
      .orderBy(time)
      .orderBy('merchant_id')
      .orderBy('id')
      .limit(p.limit)
  const first = prepareArrays<Parameters, Row>(until)
  // Written out, since no engine but PostgreSQL looks for a row of values in an index; there it reads on where it left off.
  const next = prepareArrays<Parameters, Row>((p: Parameters) =>
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

function toPending(row: Row): PendingPayment {
  const [id, , date] = row
  const merchantId = row[BESIDE_PAYMENT]
  const key = { merchantId, id: Number(id), date: wireDateOf(date) }
  try {
    return { ...key, payment: toPayment(merchantId, row) }
  } catch {
    return { ...key, payment: null }
  }
}
