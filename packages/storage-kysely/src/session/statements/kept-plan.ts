import type { CompiledQuery } from 'kysely'

/** A statement in the place of a query's own text, whose plan a session may keep where it keeps no others. */
export interface KeptPlan {
  /** That it is kept by; left out where it is planned for this once. */
  name: string | undefined
  text: string
  values: readonly unknown[]
}

/** What a query is sent as: its statements in one message, and so in one transaction. Their rows come one after another. */
export interface KeptPlans {
  plans: KeptPlan[]
  /** Whether they are looked up by keys alone: one plan, made at once, does for all values. */
  byKeys: boolean
  /** How long each waits for a lock, in milliseconds, where it is not as long as the session does. */
  lockWait?: number | undefined
}

/** The query, and what it is sent as where the connection can send that. */
export const withPlans = <Row>(query: CompiledQuery<Row>, plans: KeptPlans): CompiledQuery<Row> =>
  Object.assign({ ...query }, { sentAs: plans })

export function keptPlans(query: CompiledQuery & { sentAs?: KeptPlans }): KeptPlans | undefined {
  return query.sentAs
}
