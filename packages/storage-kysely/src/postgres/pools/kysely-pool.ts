import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type Deadline, withinSeconds } from '../../connections/limits/deadline.ts'
import type { Dialect } from '../../dialects/index.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import type { PgConnection, PgConnections } from './pg-connections.ts'

/** How long a connection may take to be had, in seconds, where more time than that may be taken for what is done on it. */
const TO_CONNECT = 10

/**
 * The pool as kysely takes it, for transactions of the host's and migrations. Where a statement has not been answered
 * within `seconds`, or a connection not been had, it is given up and its connection ended. With a dialect a server that cannot be reached
 * is tried again until then, or the next one is: nothing has begun yet. Without, whoever asks does so.
 */
export function kyselyPool(connections: PgConnections, seconds: number, dialect?: Dialect): PostgresPool {
  return {
    options: {},
    // Whoever made the pool ends it.
    end: async () => {},
    connect: () =>
      withinSeconds(Math.min(seconds, TO_CONNECT), async deadline => {
        const connect = () => connections.connect(deadline)
        const connection = await (dialect ? runAgain(dialect, true, connect, { deadline }) : connect())
        return kyselyClient(connection, seconds)
      }),
  }
}

/** How kysely begins a transaction. */
const BEGINS = /^(begin|start transaction)\b/

function kyselyClient(connection: PgConnection, seconds: number): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) => {
    const send = () =>
      BEGINS.test(text)
        ? connection.beginWith([text, ...connection.idleLimit])
        : connection.query(text, [...values])
    return withinSeconds(seconds, (deadline: Deadline) => deadline.within(send(), () => connection.destroy()))
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: destroy => (destroy ? connection.destroy() : connection.release()),
  }
}
