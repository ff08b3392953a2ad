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

/** The most that a change waits whose work would be lost: less than a read that comes after it waits for its answer. */
const MOST_PATIENCE = 2

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

/** Why an index is not as it is to be, and what to do, by the numbers that the engine says it by. */
const REFUSALS: [numbers: number[], say: (index: string) => string][] = [
  // ER_ALTER_OPERATION_NOT_SUPPORTED, and the same with a reason.
  [
    [1845, 1846],
    index =>
      `the database cannot change ${index} while others write: do it by hand when nobody does, and migrate again`,
  ],
  // ER_INNODB_ONLINE_LOG_TOO_BIG
  [
    [1799],
    index =>
      `more was written while ${index} was built than the database has room for beside it: set innodb_online_alter_log_max_size higher, and migrate again`,
  ],
  // ER_NOT_KEYFILE, of files that it sorts by too, and ER_TEMP_FILE_WRITE_FAILURE.
  [
    [1034, 1878],
    index =>
      `the database could not sort ${index}, or its table is damaged: look at the disk of its tmpdir, which may be full, and migrate again`,
  ],
]

function refusedOr(error: unknown, run: Run, change: Change): unknown {
  const number = Number((error as { errno?: unknown } | null)?.errno)
  const refusal = REFUSALS.find(([numbers]) => numbers.includes(number))
  if (!refusal) return error
  const { table, index } = progressOf(run, change)
  return new DatabaseError(refusal[1](`index ${index} of ${table}`), { cause: error })
}
