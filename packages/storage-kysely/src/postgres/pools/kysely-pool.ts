import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type Deadline, withinSeconds } from '../../connections/limits/deadline.ts'
import { connectForKysely } from '../../connections/pools/connect-for-kysely.ts'
import type { Dialect } from '../../dialects/index.ts'
import type { PgConnection, PgConnections } from './pg-connections.ts'

/**
 * The pool as kysely takes it, for transactions of the host's and migrations. Where a statement has not been answered
 * within `seconds`, or a connection not been had, it is given up and its connection ended.
 *
 * @param dialect - with it a server that cannot be reached is tried again: see `connectForKysely`.
 */
export function kyselyPool(connections: PgConnections, seconds: number, dialect?: Dialect): PostgresPool {
  return {
    options: {},
    // Whoever made the pool ends it.
    end: async () => {},
    connect: async () => kyselyClient(await connectForKysely(connections, seconds, dialect), seconds),
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
