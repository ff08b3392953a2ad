import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { transactionOf } from '../../connections/transaction-of.ts'
import { localSetting, PASS_ON } from '../../postgres/sessions/local-settings.ts'
import type { Run } from './run.ts'

/**
 * For how many milliseconds a change waits for transactions that are at its table; for so long those that come later wait
 * for the change. It waits longer each time, as far as `MOST_PATIENCE`, so that a table that is never left alone is changed too.
 */
const PATIENCE = 200
const MOST_PATIENCE = 2000

/** For how long they go on before it is tried again, in milliseconds. */
const PAUSE = 1000

/**
 * For how long it may lie idle between two statements, in milliseconds, before the server ends it: a process that was stopped in
 * between holds tables that all others write to, and those wait ten seconds.
 */
const IDLE = 5000

/** A transaction on PostgreSQL that rather begins again, however often, than keeps others waiting for long. */
export async function inShortTransaction<Result>(
  db: Kysely<unknown>,
  { dialect, checkSession }: Pick<Run, 'dialect' | 'checkSession'>,
  work: (trx: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  for (let patience = PATIENCE; ; patience = Math.min(patience * 1.5, MOST_PATIENCE)) {
    try {
      return await transactionOf(db, dialect, async trx => {
        await setLimits(trx, patience)
        await checkSession(trx)
        return work(trx)
      })
    } catch (error) {
      if (!dialect.isLockWait(error)) throw error
      await sleep(PAUSE)
    }
  }
}

/** At a node of Citus too, a change waits for no longer: what is set by a function stays at the coordinator, and is right for what may lie idle. */
async function setLimits(trx: Kysely<unknown>, patience: number): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${sql.lit(`${IDLE}`)}, true)`.execute(
    trx,
  )
  for (const statement of [PASS_ON, ...localSetting('lock_timeout', patience)])
    await sql.raw(statement).execute(trx)
}
