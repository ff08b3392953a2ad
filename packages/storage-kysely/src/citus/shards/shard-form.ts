import type { CompiledQuery } from 'kysely'

interface WithForm<Row> {
  atShard?: CompiledQuery<Row>
}

/** A query that changes one merchant's rows, and what does the same where their shard's own tables are known; of those it answers the same rows, or none. */
export function withFormAtShard<Row>(
  query: CompiledQuery<Row>,
  atShard: CompiledQuery<Row>,
): CompiledQuery<Row> {
  const both: CompiledQuery<Row> & WithForm<Row> = { ...query, atShard }
  return both
}

export function formAtShard<Row>(query: CompiledQuery<Row> & WithForm<Row>): CompiledQuery<Row> | undefined {
  return query.atShard
}
