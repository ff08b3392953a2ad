import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { executeOn } from '../session/array-rows.ts'

type Work<Tables, Result> = (trx: Transaction<Tables>) => Promise<Result>

/**
 * Runs `work` in a transaction of kysely's. Where it cannot be rolled back, since a full disk, say, has done that already,
 * kysely throws what the rollback said; what is thrown here is what `work` threw.
 */
export async function transactionOf<Tables, Result>(
  db: Kysely<Tables>,
  dialect: Dialect,
  work: Work<Tables, Result>,
): Promise<Result> {
  const { rollBackRefused } = dialect
  if (!rollBackRefused) return transaction(db, dialect, work)
  return db
    .connection()
    .execute(held => transaction(held, dialect, work, () => rollBackRefused(executeOn(held))))
}

async function transaction<Tables, Result>(
  db: Kysely<Tables>,
  { isolation, isForAnotherServer }: Dialect,
  work: Work<Tables, Result>,
  rollBack?: () => Promise<void>,
): Promise<Result> {
  const builder = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction()
  let first: { error: unknown } | undefined
  try {
    return await builder.execute(async trx => {
      try {
        return await work(trx)
      } catch (error) {
        first = { error }
        throw error
      }
    })
  } catch (error) {
    // It may be the rollback's, and the connection goes back to the host's pool.
    if (isForAnotherServer?.(error)) await rollBack?.().catch(() => {})
    throw first ? first.error : error
  }
}
