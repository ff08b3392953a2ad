import type { CompiledQuery } from 'kysely'

/** A statement whose plan a session may keep where it keeps no others. */
export interface KeptPlan {
  sql: string
  /** What the session keeps it by. */
  name: string
}

/** The query with that text in the place of its own. */
export function keepingPlan<Row>(query: CompiledQuery<Row>, { sql, name }: KeptPlan): CompiledQuery<Row> {
  return { ...query, sql, keptAs: name } as CompiledQuery<Row>
}

/** The name by which its plan is to be kept in any case; undefined for all others. */
export function keptAs(query: CompiledQuery & { keptAs?: string }): string | undefined {
  return query.keptAs
}
