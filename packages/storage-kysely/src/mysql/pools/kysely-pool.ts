import type { MysqlPoolConnection as KyselyConnection, MysqlPool as KyselyPool } from 'kysely'
import { withinSeconds } from '../../connections/limits/deadline.ts'
import type { Dialect } from '../../dialects/index.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import type { MysqlConnections, MysqlSession } from './mysql-connections.ts'

/** How long a connection may take to be had, in seconds, where more time than that may be taken for what is done on it. */
const TO_CONNECT = 10

/**
 * The pool as kysely takes it, for transactions of the host's and migrations. Where a statement has not been answered
 * within `seconds`, or a connection not been had, it is given up and its connection ended. With a dialect a server that cannot be reached
 * is tried again until then: nothing has begun yet. Without, whoever asks does so.
 */
export function kyselyPool(connections: MysqlConnections, seconds: number, dialect?: Dialect): KyselyPool {
  const acquire = () =>
    withinSeconds(Math.min(seconds, TO_CONNECT), deadline => {
      const connect = () => connections.connect(deadline)
      return dialect ? runAgain(dialect, true, connect, { deadline }) : connect()
    })
  return {
    getConnection(callback) {
      acquire().then(
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
