import type { Page, Payment, Slice } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { columnsOf } from '../../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../../schema/rows/payment-row.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { currentRead, seesThePast } from '../../session/statements/current-read.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'

type Run = IdRange & { merchantId: string }

/**
 * A slice of a run of ids, latest first. Since no id is missing, the slice is a run itself and the total a subtraction:
 * it costs the same however long the run and however deep the slice.
 */
export function paymentsByArithmetic(
  database: Database,
): (merchantId: string, range: IdRange, slice: Slice) => Promise<Page<Payment>> {
  const { builder, read, dialect } = database
  const past = seesThePast(database)
  const runOf = (p: Run) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('id', '>=', p.first)
      .where('id', '<=', p.last)
      .orderBy('id', 'desc')
  const findRun = prepareArrays<Run, PaymentRow>(runOf)
  const findRunNow = prepareArrays<Run, PaymentRow>(p => currentRead(database, runOf(p)))

  /** What a host's transaction does not see, though its ledger counts it, is looked for as it is by now. */
  async function rowsOf(run: Run): Promise<readonly PaymentRow[]> {
    const rows = await read.all(findRun(run))
    return past && rows.length <= run.last - run.first ? read.all(findRunNow(run)) : rows
  }

  return async (merchantId, range, { skip, limit }) => {
    const last = range.last - skip
    const first = Math.max(range.first, last - limit + 1)
    const rows = last < range.first ? [] : await rowsOf({ merchantId, first, last })
    return { items: rows.map(row => toPayment(merchantId, row)), total: range.last - range.first + 1 }
  }
}
