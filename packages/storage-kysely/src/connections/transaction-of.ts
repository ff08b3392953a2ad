import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/**
 * Runs `work` in a transaction of kysely's. Where it cannot be rolled back, since a full disk, say, has done that already,
 * kysely throws what the rollback said; what is thrown here is what `work` threw.
 */
export async function transactionOf<Tables, Result>(
  db: Kysely<Tables>,
  { isolation }: Dialect,
  work: (trx: Transaction<Tables>) => Promise<Result>,
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
    throw first ? first.error : error
  }
}
