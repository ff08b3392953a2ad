import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { isOutOfDate } from '../dialects/postgres-errors.ts'

/** PostgreSQL's dialect where the tables are distributed: what it changes rows by is the same at every node. */
export function onCitus(postgres: Dialect): Dialect {
  return {
    ...postgres,
    distributed: true,
    // What Citus cannot do now it cannot do later.
    isTransient: error => postgres.isTransient(error) && !isOutOfDate(error),
    // A lock that was had at the node that a shard was just leaving says nothing of where the shard has gone.
    isBesideAnother: postgres.isDuplicate,
    // As of the statement: nothing that gives another value for each row may stand in what is sent to a node.
    orNow: given =>
      sql<string>`coalesce(${given}::timestamptz, date_trunc('milliseconds', statement_timestamp()))`,
  }
}
