import { type Kysely, sql, type Transaction } from 'kysely'
import { ofCommit } from '../../connections/commit-unknown.ts'
import type { TimeLimits } from '../../connections/limits/time-limits.ts'
import { transactionOf } from '../../connections/transaction-of.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Tables } from '../../schema/tables.ts'
import { executeOn } from '../statements/array-rows.ts'
import { OpenTransaction } from './open-transaction.ts'

/**
 * Runs `work` in one transaction, once. It waits for a lock as long as a write does that is a transaction by itself. Throws
 * `CommitUnknownError` where the server did not answer the commit itself.
 */
export async function inTransaction<Result>(
  db: Kysely<Tables>,
  dialect: Dialect,
  { lockTimeoutSeconds }: Required<TimeLimits>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const { waitForLocks } = dialect
  if (!waitForLocks) return transacted(db, dialect, lockTimeoutSeconds, work)
  return db.connection().execute(async held => {
    const setBack = await waitForLocks(executeOn(held), lockTimeoutSeconds)
    try {
      return await transacted(held, dialect, lockTimeoutSeconds, work)
    } finally {
      // Where that fails, the connection has, and is ended.
      await setBack().catch(() => {})
    }
  })
}

async function transacted<Result>(
  db: Kysely<Tables>,
  dialect: Dialect,
  lockTimeoutSeconds: number,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  let committing = false
  try {
    return await transactionOf(db, dialect, async trx => {
      if (dialect.name === 'postgres') {
        await sql`set local lock_timeout = ${sql.lit(Math.ceil(lockTimeoutSeconds * 1000))}`.execute(trx)
      }
      const open = await trx
        .getExecutor()
        .provideConnection(async connection => OpenTransaction.on(connection, dialect))
      try {
        const result = await work(trx)
        committing = true
        return result
      } finally {
        open.refuseMore()
      }
    })
  } catch (error) {
    throw committing ? ofCommit(error, dialect) : error
  }
}
