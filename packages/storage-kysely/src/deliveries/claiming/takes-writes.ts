import { OutOfTime } from '../../connections/limits/deadline.ts'
import type { Database } from '../../session/database.ts'
import { changingNothing } from '../../session/transactions/changing-nothing.ts'

/** For how long a server that took a write is not asked again, in milliseconds. */
const ASSURED_MILLISECONDS = 10_000

/**
 * Rejects where the server takes no writes, which is asked now and then: one that has left its group knows of nothing that came
 * since, and says for ever that nothing is due.
 */
export function takesWrites({ builder, write, dialect, whole }: Database): () => Promise<void> {
  const { isForAnotherServer } = dialect
  if (!isForAnotherServer || !whole) return async () => {}
  const nothing = changingNothing(builder)
  let assured = performance.now()
  return async () => {
    const now = performance.now()
    if (now - assured < ASSURED_MILLISECONDS) return
    // A connection is given up with each refusal: after all there are, one more is a new one.
    for (let tries = whole.poolSize(); ; tries--) {
      try {
        await write(session => session.change(nothing), { statement: true, repeatable: true })
      } catch (error) {
        // A lock on the table, as a backup takes one, says nothing of the server, had it answered by then or not.
        const { cause } = error as Error
        const isLocked = dialect.isLockWait(cause) || cause instanceof OutOfTime
        if (!isLocked) {
          if (tries <= 0 || !isForAnotherServer(error)) throw error
          continue
        }
      }
      assured = performance.now()
      return
    }
  }
}
