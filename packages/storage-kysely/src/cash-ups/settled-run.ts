import type { IdRange } from '@tillkit/storage'
import { sql } from 'kysely'
import { passing } from '../payments/listing/passing.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'

export type Run = IdRange & { merchantId: string }

export const lengthOf = ({ first, last }: IdRange) => last - first + 1

/** The ends of a run as `passing` takes them. */
export const endsOf = ({ dialect }: Database, { first, last }: IdRange) => ({
  first: unforeseen(dialect, first),
  last: unforeseen(dialect, last),
})

/** One payment of a run that is pending. */
export function pendingOf(database: Database, run: Run) {
  const { builder, dialect } = database
  return passing(dialect, builder.selectFrom('payments'), { status: ['pending'] }, run, endsOf(database, run))
    .select('id')
    .limit(1)
}

/** How many payments of a run failed. */
export function failedOf(database: Database, run: Run) {
  const { builder, dialect } = database
  return passing(
    dialect,
    builder.selectFrom('payments'),
    { status: ['error'] },
    run,
    endsOf(database, run),
  ).select(sql<Whole>`count(*)`.as('failed'))
}

/**
 * The last payment of a run in which none is pending. Of nodes behind one address one may not have heard yet of all that others
 * have: it finds no such payment, so that what is read by the same statement is not taken for all there is.
 */
export function lastOfSettled(database: Database, run: Run) {
  return database.builder
    .selectFrom('payments')
    .where('merchant_id', '=', run.merchantId)
    .where('id', '=', run.last)
    .where(eb => eb.not(eb.exists(pendingOf(database, run))))
}
