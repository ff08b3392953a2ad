import { CompiledQuery } from 'kysely'
import type { Execute } from '../../connections/connections.ts'

const SET_BACK = CompiledQuery.raw(
  'set session innodb_lock_wait_timeout = @tillkit_row_wait, lock_wait_timeout = @tillkit_table_wait',
)

/**
 * Has a session wait for the locks of rows and of tables for so many seconds, whole ones to the server; what it resolves to sets back what
 * was. Neither can be set for one transaction alone.
 */
export async function waitForLocks(execute: Execute, seconds: number): Promise<() => Promise<unknown>> {
  const whole = Math.ceil(seconds)
  await execute(
    CompiledQuery.raw(
      `set @tillkit_row_wait = @@session.innodb_lock_wait_timeout, @tillkit_table_wait = @@session.lock_wait_timeout,
        session innodb_lock_wait_timeout = ${whole}, session lock_wait_timeout = ${whole}`,
    ),
  )
  return () => execute(SET_BACK)
}
