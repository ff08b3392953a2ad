import type { CompiledQuery } from 'kysely'

/** A text in the place of a query's own, whose plan a session may keep where it keeps no others. */
export interface KeptPlan {
  sql: string
  /** The name that it is kept by; null where it is planned for this once. */
  keptAs: string | null
  /** Whether it is looked up by keys alone: one plan, made at once, does for all values. */
  byKeys: boolean
}

/** The query's other text, where it has one. */
export function keptPlan(query: CompiledQuery & Partial<KeptPlan>): KeptPlan | undefined {
  return query.keptAs === undefined ? undefined : (query as CompiledQuery & KeptPlan)
}
