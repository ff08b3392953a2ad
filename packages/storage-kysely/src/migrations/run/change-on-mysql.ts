import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Change } from '../indexes/plan.ts'
import { onlineStatement } from '../indexes/statement-of.ts'
import { progressOf, type Run } from './run.ts'

/**
 * For how many seconds a change waits for transactions that are at its table; for so long those that come later wait for the
 * change.
 */
export const PATIENCE = 1

/** The most that a change waits whose work would be lost. */
const MOST_PATIENCE = 30

/** For how long those that waited go on before it is tried again, in milliseconds. */
export const pauseOf = () => 1000 + Math.random() * 1000

const setPatience = (connection: Kysely<unknown>, seconds: number) =>
  sql`set session lock_wait_timeout = ${sql.lit(seconds)}`.execute(connection)

/** An index that was built and could not be put in its place is built anew, with the more patience the longer it took. */
export async function changeOnMysql(connection: Kysely<unknown>, run: Run, change: Change): Promise<void> {
  for (let patience = PATIENCE; ; ) {
    await setPatience(connection, patience)
    const begin = performance.now()
    try {
      await connection.executeQuery(onlineStatement(connection, run, change))
      return
    } catch (error) {
      if (!run.dialect.isLockWait(error)) throw refusedOr(error, run, change)
      const lost = (performance.now() - begin) / 1000 - patience
      patience = Math.min(Math.max(PATIENCE, Math.ceil(lost / 10)), MOST_PATIENCE)
      await sleep(pauseOf())
    }
  }
}

/** ER_ALTER_OPERATION_NOT_SUPPORTED, and the same with a reason. */
const NOT_ONLINE = new Set([1845, 1846])

function refusedOr(error: unknown, run: Run, change: Change): unknown {
  if (!NOT_ONLINE.has(Number((error as { errno?: unknown } | null)?.errno))) return error
  const { table, index } = progressOf(run, change)
  return new DatabaseError(
    `the database cannot change index ${index} of ${table} while others write: do it by hand when nobody does, and migrate again`,
    { cause: error },
  )
}
