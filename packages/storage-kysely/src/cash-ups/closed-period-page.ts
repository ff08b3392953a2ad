import type { Page, Payment, Slice } from '@tillkit/domain'
import { sql } from 'kysely'
import { passing, type Values } from '../payments/passing.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

const ENDS = {
  first: sql.ref<number>('cash_ups.first_payment_id'),
  last: sql.ref<number>('cash_ups.last_payment_id'),
}

/** The period and a page of its completed payments in one round trip; null unless their number has been kept. */
export function closedPeriodPage({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, reference: string, slice: Slice) => Promise<Page<Payment> | null> {
  const findPage = prepare((p: Values & Slice & { reference: string }) =>
    builder
      .selectFrom('cash_ups')
      .leftJoinLateral(
        eb =>
          passing(eb.selectFrom('payments'), { status: ['completed'] }, p, ENDS)
            .selectAll('payments')
            .orderBy('payments.id', 'desc')
            .limit(p.limit)
            .offset(p.skip)
            .as('page'),
        join => join.onTrue(),
      )
      .select('cash_ups.completed_total as total')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
      .where('cash_ups.merchant_id', '=', p.merchantId)
      .where('cash_ups.reference', '=', p.reference)
      .where('cash_ups.completed_total', 'is not', null)
      .orderBy('page.id', 'desc'),
  )

  return async (merchantId, reference, slice) => {
    const rows = await read.all(findPage({ merchantId, reference, ...slice }))
    const [first] = rows
    if (!first) return null
    const items = rows.filter(row => row.id !== null).map(row => toPayment(row as PaymentRow))
    return { items, total: Number(first.total) }
  }
}
