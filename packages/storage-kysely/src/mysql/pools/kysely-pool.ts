import type { MysqlPoolConnection as KyselyConnection, MysqlPool as KyselyPool } from 'kysely'
import { withinSeconds } from '../../connections/limits/deadline.ts'
import { connectForKysely } from '../../connections/pools/connect-for-kysely.ts'
import type { Dialect } from '../../dialects/index.ts'
import type { MysqlConnections, MysqlSession } from './mysql-connections.ts'

/**
 * The pool as kysely takes it, for transactions of the host's and migrations. Where a statement has not been answered
 * within `seconds`, or a connection not been had, it is given up and its connection ended.
 *
 * @param dialect - with it a server that cannot be reached is tried again: see `connectForKysely`.
 */
export function kyselyPool(connections: MysqlConnections, seconds: number, dialect?: Dialect): KyselyPool {
  return {
    getConnection(callback) {
      connectForKysely(connections, seconds, dialect).then(
        session => callback(null, kyselyConnection(session, seconds)),
        error => callback(error, undefined as never),
      )
    },
    // Whoever made the pool ends it.
    end: callback => callback(null),
  }
}

function kyselyConnection(session: MysqlSession, seconds: number): KyselyConnection {
  const query = (sql: string, values: readonly unknown[]) =>
    withinSeconds(seconds, deadline => deadline.within(session.query(sql, values), () => session.destroy()))
  const connection = {
    query(sql: string, values: readonly unknown[], callback: (error: unknown, result?: unknown) => void) {
      query(sql, values).then(
        result => callback(null, result),
        error => callback(error),
      )
    },
    release: () => session.release(),
    destroy: () => session.destroy(),
  }
  // Kysely asks for no more than these: nothing is streamed or cancelled.
  return connection as unknown as KyselyConnection
}
