/** The part of mysql2's `Pool`, made with callbacks, that is used. */
export interface MysqlPool {
  getConnection(callback: (error: unknown, connection: MysqlClient) => void): void
  end(callback: (error: unknown) => void): void
  readonly config?: { connectionLimit?: number; resetOnRelease?: boolean }
}

/** The part of mysql2's `PoolConnection` that is used. */
export interface MysqlClient {
  query(sql: string, values: unknown[], callback: Answer): unknown
  /** Sends values beside the statement, which the server has prepared. */
  execute(statement: Statement, callback: Answer): unknown
  /** Has the server forget the statement. */
  unprepare(sql: string): unknown
  release(): void
  destroy(): void
  on?(event: 'error', listener: (error: Error) => void): unknown
  readonly config?: { typeCast?: unknown }
  readonly stream?: unknown
}

export type Answer = (error: unknown, result: unknown) => void

export interface Statement {
  sql: string
  values: unknown[]
  typeCast?: (field: unknown, next: () => unknown) => unknown
}

/** A connection from the pool. */
export function clientOf(pool: MysqlPool): Promise<MysqlClient> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, client) => (error ? reject(error) : resolve(client)))
  })
}

/** Ends a connection at once: on a path that is dead a farewell would never arrive. */
export function cut(client: MysqlClient): void {
  client.destroy()
  const { destroy } = (client.stream ?? {}) as { destroy?: () => void }
  destroy?.call(client.stream)
}
