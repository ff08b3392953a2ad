import type { PaymentStore, PendingPayment } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { wireDateOf } from '../schema/dates.ts'
import { along } from '../schema/planner/along.ts'
import { walk } from '../schema/planner/walk.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'

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
    (dialect.name === 'mysql' ? builder.selectFrom(along('pending')) : builder.selectFrom('payments'))
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .select('merchant_id')
      .where(upTo(p.date))
      .orderBy(time)
      .orderBy('merchant_id')
      .orderBy('id')
      .limit(p.limit)
  const first = prepareArrays<Parameters, Row>(until)
  const next = prepareArrays<Parameters, Row>((p: Parameters) => {
    const date = dialect.name === 'postgres' ? sql`(select ${p.afterDate}::timestamptz)` : p.afterDate
    if (dialect.name !== 'mysql')
      return until(p).where(
        sql<SqlBool>`(${time}, merchant_id, id) > (${date}, ${p.afterMerchantId}, ${p.afterId})`,
      )
    // Neither MariaDB nor MySQL looks for a row of values in an index, but they do for each of these.
    return until(p).where(({ eb, and, or }) => {
      const sameDate = eb(time, '=', p.afterDate)
      return or([
        and([sameDate, eb('merchant_id', '=', p.afterMerchantId), eb('id', '>', p.afterId)]),
        and([sameDate, eb('merchant_id', '>', p.afterMerchantId)]),
        eb(time, '>', p.afterDate),
      ])
    })
  })

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
