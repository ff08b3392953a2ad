import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { toldOf } from '../channels/publish-statement.ts'
import type { Dialect } from '../dialects/index.ts'
import type { Connections, Execute, LockLimits } from './connections.ts'
import type { Deadline } from './deadline.ts'

/** What a driver's pool has to do: `pooledConnections` sees to deadlines, transactions and what becomes of a connection. */
export interface ConnectionPool {
  /** How many connections it makes at most. */
  size(): number
  /** Whether one of them is to be had at once, as far as anyone knows. */
  isFree(): boolean
  /** A connection whose session is as Tillkit needs it: set right or checked at its first use. */
  connect(): Promise<PooledConnection>
}

/** A connection of a pool, in the hands of one caller. */
export interface PooledConnection {
  execute: Execute
  begin(limits: LockLimits): Promise<void>
  /** False where the server, since an earlier error undid the transaction, answers that it rolled back. */
  commit(): Promise<boolean>
  rollback(): Promise<void>
  /**
   * Has the server give up the statement under way, which then ends in an error that `isLockWait` knows: for a session
   * that cannot be told how long to wait. Left out where it can.
   */
  interrupt?: (() => void) | undefined
  /** Gives it back; or ends it where an error on it was not the server's own answer, or a rollback failed. Never throws. */
  release(): void
  /** Ends it at once, whatever it waits for; a `release` after it does nothing. Never throws. */
  destroy(): void
}

/** The connections of a driver's own pool. */
export function pooledConnections(pool: ConnectionPool, dialect: Dialect): Connections {
  async function use<Result>(
    deadline: Deadline,
    work: (connection: PooledConnection) => Promise<Result>,
  ): Promise<Result> {
    const connecting = pool.connect()
    const connection = await deadline.within(connecting, () => {
      connecting.then(
        late => late.release(),
        () => {},
      )
    })
    try {
      return await deadline.within(work(connection), () => connection.destroy())
    } finally {
      connection.release()
    }
  }

  return {
    size: () => pool.size(),
    isFree: () => pool.isFree(),
    hold: (deadline, work, { lockWait } = {}) =>
      use(deadline, connection => {
        const { interrupt } = connection
        if (!interrupt || lockWait === undefined) return work(connection.execute)
        const timer = setTimeout(interrupt, lockWait)
        timer.unref()
        return work(connection.execute).finally(() => clearTimeout(timer))
      }),
    async transact(deadline, work, limits = {}) {
      let committing = false
      try {
        return await use(deadline, async connection => {
          await toldOf('BEGIN', dialect.name, () => connection.begin(limits))
          try {
            const result = await work(connection.execute)
            committing = true
            if (await toldOf('COMMIT', dialect.name, () => connection.commit())) return result
            committing = false
            throw new DatabaseError('the database rolled the transaction back in place of committing it')
          } catch (error) {
            await connection.rollback().catch(() => connection.destroy())
            throw error
          }
        })
      } catch (error) {
        throw committing && !dialect.isAnswer(error) ? new CommitUnknownError(error) : error
      }
    },
  }
}
