import { sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { momentOf } from '../../schema/planner/walk.ts'
import type { Migration, TableIndex } from '../migration.ts'

/** Indexes that the worker walks, in a form that no statistics lead astray; only PostgreSQL plans by them so far. */
export const walks: Migration = { indexes }

function indexes({ name, partialIndexes }: Dialect): TableIndex[] {
  if (!partialIndexes) return []
  const resting: TableIndex = {
    table: 'deliveries',
    name: 'deliveries_resting',
    // All that is asked for, so that it is taken before the index of all that a merchant has in a state.
    columns: ['merchant_id', 'state', 'next_attempt_at'],
    only: sql`${sql.ref('state')} = ${sql.lit('pending')} and ${sql.ref('next_attempt_at')} is null`,
  }
  if (name !== 'postgres') return [resting]
  return [
    resting,
    walked('payments', 'payments_pending', 'pending', ['merchant_id', 'id']),
    walked('deliveries', 'deliveries_due', 'due'),
    walked('deliveries', 'deliveries_delivered', 'delivered'),
  ]
}

function walked(
  table: string,
  name: string,
  which: Parameters<typeof momentOf>[0],
  columns: string[] = [],
): TableIndex {
  const expression = momentOf(which)
  return { table, name, replaces: true, expression, columns, only: sql`${expression} is not null` }
}
