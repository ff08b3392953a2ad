import type { IdRange } from '@tillkit/storage'
import { sql } from 'kysely'
import { passing } from '../payments/listing/passing.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepareArrays, prepareChange } from '../session/statements/prepared.ts'
import { endsOf, lastOfSettled, pendingOf, type Run } from './settled-run.ts'

/**
 * How many payments of a closed period completed; null while one is pending. Once none is, nothing in the period can
 * change, so the number is kept where it comes from what is committed, except in a host's transaction and at a replica.
 */
export function countCashUpPayments(
  database: Database,
): (merchantId: string, reference: string, period: IdRange) => Promise<number | null> {
  const { builder, read, write, dialect, ofHost, counting } = database
  // A session of a host's pool may see what is undone later, and the next one be at a node that has yet to hear of what this one saw.
  const inTransaction = dialect.name === 'mysql'
  const failed = (p: Run) =>
    passing(dialect, builder.selectFrom('payments'), { status: ['error'] }, p, endsOf(database, p)).select(
      sql<Whole>`count(*)`.as('failed'),
    )
  const findPending = prepareArrays<Run, [id: Whole]>(p => pendingOf(database, p))
  const findPendingNow = prepareArrays<Run, [id: Whole]>(p => currentRead(database, pendingOf(database, p)))
  const countFailedNow = prepareArrays<Run, [failed: Whole]>(p => currentRead(database, failed(p)))
  const countFailed = prepareArrays<Run, [failed: Whole]>(p =>
    lastOfSettled(database, p).select(sql<Whole>`(${failed(p)})`.as('failed')),
  )
  const keepTotal = prepareChange((p: { merchantId: string; reference: string; total: number }) =>
    builder
      .updateTable('cash_ups')
      .set({ completed_total: p.total })
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )

  /** In a transaction of the host's, which is at one node. */
  async function completedNow(period: Run): Promise<number | null> {
    if (await read.first(findPendingNow(period))) return null
    const [failed = 0] = (await read.first(countFailedNow(period))) ?? []
    return lengthOf(period) - Number(failed)
  }

  async function completed(session: Session, period: Run): Promise<number | null> {
    const settled = await session.first(countFailed(period))
    return settled ? lengthOf(period) - Number(settled[0]) : null
  }

  return async (merchantId, reference, { first, last }) => {
    const period = { merchantId, first, last }
    if (lengthOf(period) === 0) return 0
    if (ofHost) return completedNow(period)
    // For itself: whoever waits for a period asks often, and a count may be long.
    if (await read.first(findPending(period))) return null
    if (!counting.ahead) return completed(read, period)
    if (!inTransaction) {
      const total = await completed(read, period)
      if (total === null) return null
      await write(session => session.change(keepTotal({ merchantId, reference, total })), {
        statement: true,
        repeatable: true,
        merchantId,
      })
      return total
    }
    return write(
      async session => {
        const total = await completed(session, period)
        if (total !== null) await session.change(keepTotal({ merchantId, reference, total }))
        return total
      },
      { repeatable: true, merchantId },
    )
  }
}

const lengthOf = ({ first, last }: IdRange) => last - first + 1
