import type { CashUpStore } from '@tillkit/storage'
import { matchingPayments } from '../payments/matching-payments.ts'
import { paymentsByArithmetic } from '../payments/payments-by-arithmetic.ts'
import { toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function listCashUpPayments(database: Database): CashUpStore['payments'] {
  const { builder, read, write } = database
  const matching = matchingPayments(database)
  const byArithmetic = paymentsByArithmetic(database)
  const findPeriod = prepare((p: { merchantId: string; reference: string }) =>
    builder
      .selectFrom('cash_ups')
      .select(['first_payment_id as first', 'last_payment_id as last', 'completed_total as completed'])
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )
  const findPending = prepare((p: { merchantId: string; first: number; last: number }) =>
    builder
      .selectFrom('payments')
      .select('id')
      .where('merchant_id', '=', p.merchantId)
      .where('status', '=', 'pending')
      .where('id', '>=', p.first)
      .where('id', '<=', p.last)
      .limit(1),
  )
  const keepTotal = prepare((p: { merchantId: string; reference: string; total: number }) =>
    builder
      .updateTable('cash_ups')
      .set({ completed_total: p.total })
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )

  /**
   * How many payments of a closed period completed; null while one is pending. Once none is, nothing in the period can
   * change, so the number is kept.
   */
  async function completedTotal(
    merchantId: string,
    reference: string,
    range: { first: number; last: number },
  ) {
    if (await read.first(findPending({ merchantId, ...range }))) return null
    const failed = await matching.count(merchantId, range, { status: ['error'] })
    const total = range.last - range.first + 1 - failed
    await write(session => session.change(keepTotal({ merchantId, reference, total })), {
      statement: true,
      repeatable: true,
    })
    return total
  }

  return async (merchantId, reference, slice) => {
    const period = await read.first(findPeriod({ merchantId, reference }))
    if (!period) return null
    const [first, last] = [Number(period.first), Number(period.last)]
    const total =
      period.completed === null
        ? await completedTotal(merchantId, reference, { first, last })
        : Number(period.completed)
    if (total === null) return 'not_ready'
    if (total === last - first + 1) return byArithmetic(merchantId, { first, last }, slice)
    if (slice.skip >= total) return { items: [], total }
    const rows = await read.all(matching.slice(merchantId, { first, last }, { status: ['completed'] }, slice))
    return { items: rows.map(toPayment), total }
  }
}
