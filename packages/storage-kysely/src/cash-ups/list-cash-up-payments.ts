import type { Page, Payment, Slice } from '@tillkit/domain'
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
import { endsOf, lastOfSettled, lengthOf, type Run } from './settled-run.ts'
import { totalKeeper } from './total-keeper.ts'

type Ends = [first: Whole, last: Whole, completed: Whole | null]

/** A page that lies deeper than this is not looked for before it is known whether arithmetic finds it. */
const SHALLOW = 500

export function listCashUpPayments(database: Database): CashUpStore['payments'] {
  const { builder, read, dialect, ofHost } = database
  const byArithmetic = paymentsByArithmetic(database)
  const countCompleted = countCashUpPayments(database)
  const keepTotal = totalKeeper(database)
  const closedPage = closedPeriodPage(database)
  const findPeriod = prepareArrays<{ merchantId: string; reference: string }, Ends>(p =>
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

  async function pageOf(
    period: Run,
    total: number,
    { skip, ...slice }: Slice,
  ): Promise<Page<Payment> | 'not_ready'> {
    if (skip >= total) return { items: [], total }
    const { merchantId, first, last } = period
    const limit = Math.min(slice.limit, total - skip)
    // What it finds is as of the host's snapshot.
    const isRun = total === lengthOf(period) && !ofHost
    const items = isRun
      ? (await byArithmetic(merchantId, { first, last }, { skip, limit })).items
      : paymentsOf(merchantId, await read.all(findCompleted({ ...period, skip, limit })))
    // A node may not have heard of all that another has counted.
    const isWhole =
      dialect.oneWriter || (items.length === limit && items.every(({ status }) => status === 'completed'))
    return isWhole ? { items, total } : 'not_ready'
  }

  return async (merchantId, reference, slice) => {
    if (!dialect.oneWriter && slice.skip <= SHALLOW) {
      const page = await closedPage(merchantId, reference, slice)
      if (page) return page
    }
    const found = await read.first(findPeriod({ merchantId, reference }))
    if (!found) return null
    const [first, last, kept] = found
    const period = { merchantId, first: Number(first), last: Number(last) }
    const total = kept === null ? await countCompleted(period) : Number(kept)
    if (total === null) return 'not_ready'
    const page = await pageOf(period, total, slice)
    if (kept === null && page !== 'not_ready') keepTotal({ ...period, reference })
    return page
  }
}
