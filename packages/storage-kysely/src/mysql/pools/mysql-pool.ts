import { MOST_ASKING } from '../../connections/pools/pool-line.ts'

/** The part of mysql2's `Pool`, made with callbacks, that is used. */
export interface MysqlPool {
  /** Hands out a connection. */
  getConnection(callback: (error: unknown, connection: MysqlClient) => void): void
  /** Ends all connections. */
  end(callback: (error: unknown) => void): void
  /** The options that it was made with. */
  readonly config?: {
    /** How many connections it has at most. */
    connectionLimit?: number
    /** Whether it has who finds none wait. */
    waitForConnections?: boolean
    /** How many may wait; zero for any number. */
    queueLimit?: number
    /** Whether a connection that comes back is reset. */
    resetOnRelease?: boolean
    /** The options of its connections. */
    connectionConfig?: {
      /** Where the tables are. */
      database?: string | undefined
    }
  }
}

/** The part of mysql2's `PoolConnection` that is used. */
export interface MysqlClient {
  /** Sends a statement as text. */
  query(statement: Statement, callback: Answer): unknown
  /** Sends values beside the statement, which the server has prepared. */
  execute(statement: Statement, callback: Answer): unknown
  /** Has the server forget the statement. */
  unprepare(sql: string): unknown
  /** Gives the connection back to its pool. */
  release(): void
  /** Ends the connection; the pool opens another. */
  destroy(): void
  /** Tells of a connection that ends. */
  on?(event: 'error', listener: (error: Error) => void): unknown
  /** The options that it was made with. */
  readonly config?: {
    /** How values are read. */
    typeCast?: unknown
    /** How texts are sent: the server tells mysql2 when a statement changes it. */
    charsetNumber?: number
  }
  /** The socket. */
  readonly stream?: unknown
}

/** Hears how a statement went. */
type Answer = (error: unknown, result: unknown) => void

/** A statement as mysql2 takes it. */
export interface Statement {
  /** With `?` for each value. */
  sql: string
  /** What stands for them. */
  values: unknown[]
  /** Rows are arrays of their columns; what the pool says where it is left out. */
  rowsAsArray?: true
  /** How values are read. */
  typeCast?: (field: unknown, next: () => unknown) => unknown
}

/** How many may ask it at once: as many as it may have connections, unless it refuses itself who would wait, or be one too many. */
export function mostAsking({ config }: MysqlPool): number {
  if (config?.waitForConnections === false || Number(config?.queueLimit) > 0) return Number.POSITIVE_INFINITY
  return config?.connectionLimit || MOST_ASKING
}

/** A connection from the pool. */
export function clientOf(pool: MysqlPool): Promise<MysqlClient> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, client) => (error ? reject(error) : resolve(client)))
  })
}

/**
 * Ends a connection at once: on a path that is dead a farewell would never arrive. What is in flight on it fails by the socket's
 * error: where the socket just closes, mysql2, which was told to, never answers it.
 */
export function cut(client: MysqlClient): void {
  client.destroy()
  const { destroy } = (client.stream ?? {}) as { destroy?: (error: Error) => void }
  destroy?.call(client.stream, new Error('the connection was ended while a statement was under way'))
}
