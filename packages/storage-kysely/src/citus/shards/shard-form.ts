import type { CompiledQuery } from 'kysely'

interface WithForms<Row> {
  atShards?: CompiledQuery<Row>[]
}

/**
 * A query that changes rows of one merchant or several, and what does the same where the tables of their shards are known, a statement for
 * each merchant; of those these answer the same rows, or none.
 */
export function withFormsAtShards<Row>(
  query: CompiledQuery<Row>,
  atShards: CompiledQuery<Row>[],
): CompiledQuery<Row> {
  const both: CompiledQuery<Row> & WithForms<Row> = { ...query, atShards }
  return both
}

export function formsAtShards<Row>(
  query: CompiledQuery<Row> & WithForms<Row>,
): CompiledQuery<Row>[] | undefined {
  return query.atShards
}
