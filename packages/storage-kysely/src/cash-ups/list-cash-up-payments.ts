import type { Slice } from '@tillkit/domain'
import type { CashUpStore } from '@tillkit/storage'
import { passing } from '../payments/listing/passing.ts'
import { paymentsByArithmetic } from '../payments/listing/payments-by-arithmetic.ts'
import { columnsOf } from '../schema/columns.ts'
import { inOrder } from '../schema/planner/along.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import { PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/rows/payment-row.ts'
import { paymentsOf } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepareArrays } from '../session/statements/prepared.ts'
import { closedPeriodPage } from './closed-period-page.ts'
import { countCashUpPayments } from './count-cash-up-payments.ts'
import { endsOf, lastOfSettled, type Run } from './settled-run.ts'

type Period = [first: Whole, last: Whole, completed: Whole | null]

/** A page that lies deeper than this is not looked for before it is known whether arithmetic finds it. */
const SHALLOW = 500

export function listCashUpPayments(database: Database): CashUpStore['payments'] {
  const { builder, read, dialect, ofHost } = database
  const byArithmetic = paymentsByArithmetic(database)
  const completedTotal = countCashUpPayments(database)
  const closedPage = closedPeriodPage(database)
  const findPeriod = prepareArrays<{ merchantId: string; reference: string }, Period>(p =>
    builder
      .selectFrom('cash_ups')
      .select(['first_payment_id', 'last_payment_id', 'completed_total'])
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )
  const findCompleted = prepareArrays<Run & Slice, PaymentRow>(p => {
    const page = passing(
      dialect,
      inOrder(builder, dialect),
      { status: ['completed'] },
      p,
      endsOf(database, p),
    )
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .orderBy('payments.id', 'desc')
      .limit(unforeseen(dialect, p.limit))
      .offset(unforeseen(dialect, p.skip))
    if (ofHost) return currentRead(database, page)
    return page.where(eb => eb.exists(lastOfSettled(database, p).select('id')))
  })

  return async (merchantId, reference, slice) => {
    if (!dialect.oneWriter && slice.skip <= SHALLOW) {
      const page = await closedPage(merchantId, reference, slice)
      if (page) return page
    }
    const period = await read.first(findPeriod({ merchantId, reference }))
    if (!period) return null
    const [first, last, completed] = period
    const range = { first: Number(first), last: Number(last) }
    const total = completed === null ? await completedTotal(merchantId, reference, range) : Number(completed)
    if (total === null) return 'not_ready'
    const { skip } = slice
    if (skip >= total) return { items: [], total }
    const limit = Math.min(slice.limit, total - skip)
    // What it finds is as of the host's snapshot.
    const isRun = total === range.last - range.first + 1 && !ofHost
    const items = isRun
      ? (await byArithmetic(merchantId, range, { skip, limit })).items
      : paymentsOf(merchantId, await read.all(findCompleted({ merchantId, ...range, skip, limit })))
    // A node that has not heard of all that another has counted.
    const isWhole = items.length === limit && items.every(({ status }) => status === 'completed')
    return isWhole ? { items, total } : 'not_ready'
  }
}
