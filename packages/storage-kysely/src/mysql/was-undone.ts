import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'

/** ER_SP_DOES_NOT_EXIST, which is what a savepoint is that was set outside of a transaction. */
export const NO_SUCH_SAVEPOINT = 1305

const STEPS = ['savepoint tillkit', 'rollback to savepoint tillkit'].map(text => CompiledQuery.raw(text))

/** Whether an error has undone a connection's transaction, as a deadlock does: the commit of nothing that comes next would succeed. */
export async function wasUndone(execute: Execute): Promise<boolean> {
  try {
    for (const step of STEPS) await execute(step)
    return false
  } catch (error) {
    if (Number((error as { errno?: unknown } | null)?.errno) === NO_SUCH_SAVEPOINT) return true
    throw error
  }
}
