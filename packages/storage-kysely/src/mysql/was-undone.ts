import type { Execute } from '../connections/connections.ts'
import { SET_AND_TOLD } from '../session/transactions/savepoint.ts'

/** ER_SP_DOES_NOT_EXIST, which is what a savepoint is that was set outside of a transaction. */
export const NO_SUCH_SAVEPOINT = 1305

/** Whether an error has undone a connection's transaction, as a deadlock does: the commit of nothing that comes next would succeed. */
export async function wasUndone(execute: Execute): Promise<boolean> {
  try {
    for (const step of SET_AND_TOLD) await execute(step)
    return false
  } catch (error) {
    if (Number((error as { errno?: unknown } | null)?.errno) === NO_SUCH_SAVEPOINT) return true
    throw error
  }
}
