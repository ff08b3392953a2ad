import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { transactionOf } from '../../connections/transaction-of.ts'
import type { Run } from './run.ts'

/**
 * For how many milliseconds a change waits for transactions that are at its table; for so long those that come later wait
 * for the change. It waits longer each time, as far as `MOST_PATIENCE`, so that a table that is never left alone is changed too.
 */
const PATIENCE = 200
const MOST_PATIENCE = 2000

/** For how long they go on before it is tried again, in milliseconds. */
const PAUSE = 1000

/** A transaction on PostgreSQL that rather begins again, however often, than keeps others waiting for long. */
export async function inShortTransaction<Result>(
  db: Kysely<unknown>,
  { dialect, checkSession }: Pick<Run, 'dialect' | 'checkSession'>,
  work: (trx: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  for (let patience = PATIENCE; ; patience = Math.min(patience * 1.5, MOST_PATIENCE)) {
    try {
      return await transactionOf(db, dialect, async trx => {
        await sql`set local lock_timeout = ${sql.lit(Math.ceil(patience))}`.execute(trx)
        await checkSession(trx)
        return work(trx)
      })
    } catch (error) {
      if (!dialect.isLockWait(error)) throw error
      await sleep(PAUSE)
    }
  }
}
