import type { CompiledQuery } from 'kysely'

/** A text, in the place of a query's own, whose plan a session may keep where it keeps no others. */
export interface KeptPlan {
  sql: string
  /** The name that it is kept by. */
  keptAs: string
}

/** The name by which its plan is to be kept in any case; undefined for all others. */
export function keptAs(query: CompiledQuery & Partial<KeptPlan>): string | undefined {
  return query.keptAs
}
