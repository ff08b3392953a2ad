import type { CashUpStore } from '@tillkit/storage'
import { matchingPayments } from '../payments/listing/matching-payments.ts'
import { paymentsByArithmetic } from '../payments/listing/payments-by-arithmetic.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { closedPeriodPage } from './closed-period-page.ts'
import { countCashUpPayments } from './count-cash-up-payments.ts'

/** A page that lies deeper than this is not looked for before it is known whether arithmetic finds it. */
const SHALLOW = 500

export function listCashUpPayments(database: Database): CashUpStore['payments'] {
  const { builder, read, dialect } = database
  const matching = matchingPayments(database)
  const byArithmetic = paymentsByArithmetic(database)
  const completedTotal = countCashUpPayments(database)
  const closedPage = closedPeriodPage(database)
  const findPeriod = prepare((p: { merchantId: string; reference: string }) =>
    builder
      .selectFrom('cash_ups')
      .select(['first_payment_id as first', 'last_payment_id as last', 'completed_total as completed'])
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )

  return async (merchantId, reference, slice) => {
    if (!dialect.oneWriter && slice.skip <= SHALLOW) {
      const page = await closedPage(merchantId, reference, slice)
      if (page) return page
    }
    const period = await read.first(findPeriod({ merchantId, reference }))
    if (!period) return null
    const range = { first: Number(period.first), last: Number(period.last) }
    const total =
      period.completed === null
        ? await completedTotal(merchantId, reference, range)
        : Number(period.completed)
    if (total === null) return 'not_ready'
    if (total === range.last - range.first + 1) return byArithmetic(merchantId, range, slice)
    if (slice.skip >= total) return { items: [], total }
    const rows = await read.all(matching.slice(merchantId, range, { status: ['completed'] }, slice))
    return { items: rows.map(row => toPayment(merchantId, row)), total }
  }
}
