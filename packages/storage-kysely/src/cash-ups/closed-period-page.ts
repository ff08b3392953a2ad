import type { Page, Payment, Slice } from '@tillkit/domain'
import { sql } from 'kysely'
import { passing, type Values } from '../payments/passing.ts'
import { columnsOf } from '../schema/columns.ts'
import {
  BESIDE_PAYMENT,
  type NoPaymentRow,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Whole,
} from '../schema/payment-row.ts'
import { paymentsOf } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'

type Parameters = Values & Slice & { reference: string }
type Row = [...(PaymentRow | NoPaymentRow), total: Whole]

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
  const findPage = prepareArrays<Parameters, Row>((p: Parameters) =>
    builder
      .selectFrom('cash_ups')
      .leftJoinLateral(
        eb =>
          passing(dialect, eb.selectFrom('payments'), { status: ['completed'] }, p, ENDS)
            .selectAll('payments')
            .orderBy('payments.id', 'desc')
            .limit(p.limit)
            .offset(p.skip)
            .as('page'),
        join => join.onTrue(),
      )
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
      .select('cash_ups.completed_total as total')
      .where('cash_ups.merchant_id', '=', p.merchantId)
      .where('cash_ups.reference', '=', p.reference)
      .where('cash_ups.completed_total', 'is not', null),
  )

  return async (merchantId, reference, slice) => {
    const rows = await read.all(findPage({ merchantId, reference, ...slice }))
    const [first] = rows
    if (!first) return null
    return { items: paymentsOf(merchantId, rows), total: Number(first[BESIDE_PAYMENT]) }
  }
}
