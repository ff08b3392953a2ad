import type { Page, Payment, Slice } from '@tillkit/domain'
import { sql } from 'kysely'
import { passing, type Values } from '../payments/listing/passing.ts'
import { columnsOf } from '../schema/columns.ts'
import { inOrder } from '../schema/planner/along.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import {
  BESIDE_PAYMENT,
  type NoPaymentRow,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Whole,
} from '../schema/rows/payment-row.ts'
import { paymentsOf } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'

type Parameters = Values & Slice & { reference: string }
type Row = [...(PaymentRow | NoPaymentRow), total: Whole]

const ENDS = {
  first: sql.ref<number>('cash_ups.first_payment_id'),
  last: sql.ref<number>('cash_ups.last_payment_id'),
}

/**
 * The period and a page of its completed payments in one round trip. Null unless their number has been kept; and, where an engine
 * has no place for that but the rows of the page, where there are none.
 */
export function closedPeriodPage(
  database: Database,
): (merchantId: string, reference: string, slice: Slice) => Promise<Page<Payment> | null> {
  const { read, dialect } = database
  const pageOf = dialect.composes ? pageBesidePeriod : pageWithinPeriod
  const findPage = prepareArrays<Parameters, Row>((p: Parameters) => pageOf(database, p))

  return async (merchantId, reference, slice) => {
    const rows = await (read.opening ?? read).all(findPage({ merchantId, reference, ...slice }))
    const [first] = rows
    if (!first) return null
    return { items: paymentsOf(merchantId, rows), total: Number(first[BESIDE_PAYMENT]) }
  }
}

function pageBesidePeriod({ builder, dialect }: Database, p: Parameters) {
  // No more than there are. Not shown to the planner, which would sort the whole period for a page as long as it expects that to be.
  const left = sql<number>`least(${p.limit}::bigint, greatest(0, ${sql.ref('cash_ups.completed_total')} - ${p.skip}::bigint))`
  return builder
    .selectFrom('cash_ups')
    .leftJoinLateral(
      eb =>
        passing(dialect, eb.selectFrom('payments'), { status: ['completed'] }, p, ENDS)
          .selectAll('payments')
          .orderBy('payments.id', 'desc')
          .limit(left)
          .offset(unforeseen(dialect, p.skip))
          .as('page'),
      join => join.onTrue(),
    )
    .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
    .select('cash_ups.completed_total as total')
    .where('cash_ups.merchant_id', '=', p.merchantId)
    .where('cash_ups.reference', '=', p.reference)
    .where('cash_ups.completed_total', 'is not', null)
}

/** The period's columns are each asked for: joined to it, the payments would be sorted anew. */
function pageWithinPeriod({ builder, dialect }: Database, p: Parameters) {
  const ofPeriod = (column: 'first_payment_id' | 'last_payment_id' | 'completed_total') =>
    sql<number>`(${builder
      .selectFrom('cash_ups')
      .select(`cash_ups.${column}`)
      .where('cash_ups.merchant_id', '=', p.merchantId)
      .where('cash_ups.reference', '=', p.reference)})`
  const ends = { first: ofPeriod('first_payment_id'), last: ofPeriod('last_payment_id') }
  return passing(dialect, inOrder(builder, dialect), { status: ['completed'] }, p, ends)
    .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
    .select(ofPeriod('completed_total').as('total'))
    .where(ofPeriod('completed_total'), 'is not', null)
    .orderBy('payments.id', 'desc')
    .limit(p.limit)
    .offset(p.skip)
}
