import type { CompiledQuery } from 'kysely'
import { toldOf } from '../../channels/publish-statement.ts'
import type { Dialect } from '../../dialects/index.ts'
import { ofCommit } from '../commit-unknown.ts'
import type { Answer, Connections, Execute, LockLimits } from '../connections.ts'
import { rolledBack } from '../left-open.ts'
import type { Deadline } from '../limits/deadline.ts'
import { ReadTurns } from '../turns/read-turns.ts'

/** What a driver's pool has to do: `pooledConnections` sees to deadlines, transactions and what becomes of a connection. */
export interface ConnectionPool {
  /** How many connections it makes at most. */
  size(): number
  /** Whether one of them is to be had at once, as far as anyone knows. */
  isFree(): boolean
  /** A connection by the deadline, whose session is as Tillkit needs it: set right or checked at its first use. */
  connect(deadline: Deadline): Promise<PooledConnection>
}

/** A connection of a pool, in the hands of one caller. */
export interface PooledConnection {
  execute: Execute
  begin(limits: LockLimits): Promise<void>
  /** False where the server, since an earlier error undid the transaction, answers that it rolled back. */
  commit(): Promise<boolean>
  rollback(): Promise<void>
  /**
   * Sends a statement by itself, which is told how long to wait for a lock; undefined where it has to be within a transaction. Left
   * out where the session has been.
   */
  executeWithin?: (<Row>(lockWait: number, query: CompiledQuery<Row>) => Answer<Row> | undefined) | undefined
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
    const connection = await pool.connect(deadline)
    try {
      return await deadline.within(work(connection), () => connection.destroy())
    } finally {
      connection.release()
    }
  }

  async function inTransaction<Result>(
    connection: PooledConnection,
    limits: LockLimits,
    work: (execute: Execute) => Promise<Result>,
    committing: () => void = () => {},
  ): Promise<Result> {
    await toldOf('BEGIN', dialect.name, () => connection.begin(limits))
    try {
      const result = await work(connection.execute)
      committing()
      if (await toldOf('COMMIT', dialect.name, () => connection.commit())) return result
      throw rolledBack()
    } catch (error) {
      await connection.rollback().catch(() => connection.destroy())
      throw error
    }
  }

  return {
    size: () => pool.size(),
    isFree: () => pool.isFree(),
    readTurns: new ReadTurns(() => pool.size()),
    hold: (deadline, work, { lockWait } = {}) =>
      use(deadline, connection => {
        const { execute, executeWithin } = connection
        if (!executeWithin || lockWait === undefined) return work(execute)
        return work(
          query =>
            executeWithin(lockWait, query) ??
            inTransaction(connection, { lockWait }, execute => execute(query)),
        )
      }),
    async transact(deadline, work, limits = {}) {
      let committing = false
      try {
        return await use(deadline, connection =>
          inTransaction(connection, limits, work, () => {
            committing = true
          }),
        )
      } catch (error) {
        throw committing ? ofCommit(error, dialect) : error
      }
    },
  }
}
