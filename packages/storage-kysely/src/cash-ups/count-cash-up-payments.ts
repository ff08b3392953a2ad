import type { IdRange } from '@tillkit/storage'
import { matchingPayments } from '../payments/listing/matching-payments.ts'
import { isUncommon } from '../schema/uncommon.ts'
import { unforeseen } from '../schema/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

/**
 * How many payments of a closed period completed; null while one is pending. Once none is, nothing in the period can
 * change, so the number is kept.
 */
export function countCashUpPayments(
  database: Database,
): (merchantId: string, reference: string, period: IdRange) => Promise<number | null> {
  const { builder, read, write, dialect } = database
  const matching = matchingPayments(database)
  const findPending = prepare((p: IdRange & { merchantId: string }) =>
    builder
      .selectFrom('payments')
      .select('id')
      .where('merchant_id', '=', p.merchantId)
      .where(isUncommon(dialect, 'payments', 'pending'))
      .where('id', '>=', unforeseen(dialect, p.first))
      .where('id', '<=', unforeseen(dialect, p.last))
      .limit(1),
  )
  const keepTotal = prepare((p: { merchantId: string; reference: string; total: number }) =>
    builder
      .updateTable('cash_ups')
      .set({ completed_total: p.total })
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )

  return async (merchantId, reference, period) => {
    if (await read.first(findPending({ merchantId, ...period }))) return null
    const failed = await matching.count(merchantId, period, { status: ['error'] })
    const total = period.last - period.first + 1 - failed
    await write(session => session.change(keepTotal({ merchantId, reference, total })), {
      statement: true,
      repeatable: true,
      merchantId,
    })
    return total
  }
}
