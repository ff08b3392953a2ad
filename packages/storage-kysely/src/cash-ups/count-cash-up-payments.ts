import type { IdRange } from '@tillkit/storage'
import { sql } from 'kysely'
import { passing } from '../payments/listing/passing.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepareArrays, prepareChange } from '../session/statements/prepared.ts'

type Period = IdRange & { merchantId: string }

type Outcomes = [failed: Whole, pending: Whole | null]

/**
 * How many payments of a closed period completed; null while one is pending. Once none is, nothing in the period can
 * change, so the number is kept where it comes from what is committed, except in a host's transaction and at a replica. It is counted
 * by one statement, which finds the last payment too: of nodes behind one address some may not have heard of all that others have.
 */
export function countCashUpPayments(
  database: Database,
): (merchantId: string, reference: string, period: IdRange) => Promise<number | null> {
  const { builder, read, write, dialect, ofHost, counting } = database
  // A session of a host's pool may see what is undone later; a transaction of the store's own never does.
  const seesUncommitted = dialect.name === 'mysql' && dialect.isolation !== null
  const endsOf = (p: Period) => ({ first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) })
  const pending = (p: Period) =>
    passing(dialect, builder.selectFrom('payments'), { status: ['pending'] }, p, endsOf(p))
      .select('id')
      .limit(1)
  const findPending = prepareArrays<Period, [id: Whole]>(pending)
  const findPendingNow = prepareArrays<Period, [id: Whole]>(p => currentRead(database, pending(p)))
  const failed = (p: Period) =>
    passing(dialect, builder.selectFrom('payments'), { status: ['error'] }, p, endsOf(p)).select(
      sql<Whole>`count(*)`.as('failed'),
    )
  const countFailedNow = prepareArrays<Period, [failed: Whole]>(p => currentRead(database, failed(p)))
  const findOutcomes = prepareArrays<Period, Outcomes>(p =>
    builder
      .selectFrom('payments')
      .select([sql<Whole>`(${failed(p)})`.as('failed'), sql<Whole | null>`(${pending(p)})`.as('pending')])
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.last),
  )
  const keepTotal = prepareChange((p: { merchantId: string; reference: string; total: number }) =>
    builder
      .updateTable('cash_ups')
      .set({ completed_total: p.total })
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference),
  )

  /** In a transaction of the host's, which is at one node. */
  async function completedNow(period: Period): Promise<number | null> {
    if (await read.first(findPendingNow(period))) return null
    const [failed = 0] = (await read.first(countFailedNow(period))) ?? []
    return lengthOf(period) - Number(failed)
  }

  async function completed(session: Session, period: Period): Promise<number | null> {
    const [failed, pending] = (await session.first(findOutcomes(period))) ?? []
    return failed === undefined || pending !== null ? null : lengthOf(period) - Number(failed)
  }

  return async (merchantId, reference, { first, last }) => {
    const period = { merchantId, first, last }
    if (lengthOf(period) === 0) return 0
    if (ofHost) return completedNow(period)
    // For itself: whoever waits for a period asks often, and a count may be long.
    if (await read.first(findPending(period))) return null
    if (!seesUncommitted) {
      const total = await completed(read, period)
      if (!counting.ahead || total === null) return total
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
