import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { executeOn } from '../session/statements/array-rows.ts'
import { rolledBack } from './left-open.ts'

type Work<Tables, Result> = (trx: Transaction<Tables>) => Promise<Result>

/**
 * Runs `work` in a transaction of kysely's. What is thrown is what `work` threw, or what the commit was answered: where that cannot be
 * rolled back, since a full disk has done that already, say, or the server refuses even that, the `transaction()` of kysely would
 * throw what the rollback was answered, and a commit in doubt would pass for one that was refused.
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
  const begins = db.startTransaction()
  const trx = await (isolation ? begins.setIsolationLevel(isolation) : begins).execute()
  try {
    const result = await work(trx)
    await trx.commit().execute()
    return result
  } catch (error) {
    const refused = await whatRefuses(() => trx.rollback().execute())
    // The connection goes back to the host's pool.
    if (isForAnotherServer?.(refused)) await rollBack?.().catch(() => {})
    throw hasRolledBack(error) ? rolledBack(error) : error
  }
}

async function whatRefuses(step: () => Promise<void>): Promise<unknown> {
  try {
    await step()
  } catch (error) {
    return error
  }
}

/** By its name: a host's Kysely may be of another copy of the package. */
function hasRolledBack(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortedTransactionError'
}
