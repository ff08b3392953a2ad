import type { SelectQueryBuilder } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'

/**
 * A read of what is there now, even in a host's transaction that began before it was written: MySQL's repeatable reads
 * show the past to all but those that lock. PostgreSQL refuses such a transaction as soon as it takes the merchant's lock.
 */
export function currentRead<Table extends keyof Tables, Row>(
  { name }: Dialect,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return name === 'mysql' ? query.forUpdate() : query
}
