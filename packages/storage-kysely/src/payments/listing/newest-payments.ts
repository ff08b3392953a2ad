import type { Page, Payment, Slice } from '@tillkit/domain'
import { sql } from 'kysely'
import { columnsOf } from '../../schema/columns.ts'
import {
  BESIDE_PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Whole,
} from '../../schema/rows/payment-row.ts'
import { paymentsOf } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { endOf } from './pages.ts'

type Parameters = { merchantId: string; skip: number; end: number }
type Row = [...PaymentRow, total: Whole]

/**
 * A slice of all that a merchant has, latest first, with its total in one round trip: the ledger says between which ids the slice
 * lies. Null where there is nothing, and so no row to have a total in.
 */
export function newestPayments({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, slice: Slice) => Promise<Page<Payment> | null> {
  const findPage = prepareArrays<Parameters, Row>((p: Parameters) => {
    const last = builder
      .selectFrom('ledgers')
      .select('last_payment_id')
      .where('ledgers.merchant_id', '=', p.merchantId)
    return builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .select(sql<number>`(${last})`.as('total'))
      .where('merchant_id', '=', p.merchantId)
      .where('id', '<=', sql<number>`(${last}) - ${p.skip}`)
      .where('id', '>', sql<number>`(${last}) - ${p.end}`)
      .orderBy('id', 'desc')
  })
  return async (merchantId, slice) => {
    const rows = await read.all(findPage({ merchantId, skip: slice.skip, end: endOf(slice) }))
    const [first] = rows
    return first ? { items: paymentsOf(merchantId, rows), total: Number(first[BESIDE_PAYMENT]) } : null
  }
}
