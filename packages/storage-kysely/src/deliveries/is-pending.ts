import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * Whether a delivery that is named by its key is pending. Said so that no index of what is pending answers it: where
 * statistics are from before a backlog, a planner takes that for empty, and walks all of it for each key.
 */
export function isPending(state: Expression<unknown> = sql.ref('state')): Expression<SqlBool> {
  return sql<SqlBool>`${state} not in ('delivered', 'exhausted')`
}
