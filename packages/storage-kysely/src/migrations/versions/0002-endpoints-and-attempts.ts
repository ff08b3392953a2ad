import type { Dialect } from '../../dialects/dialect.ts'
import type { Migration, MigrationContext, TableIndex } from '../migration.ts'
import { createTable } from '../tables/create-table.ts'

/** What came of each attempt, which endpoints fail, and indexes that find what is delivered or exhausted. */
export const endpointsAndAttempts: Migration = { tables, indexes }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer, instant } = context.dialect.types
  const { named } = context
  const id = text(64)

  await createTable(context, 'delivery_attempts', table =>
    table
      .addColumn('merchant_id', id, column => column.notNull())
      .addColumn('payment_id', integer, column => column.notNull())
      .addColumn('number', integer, column => column.notNull())
      .addColumn('began_at', instant, column => column.notNull())
      .addColumn('status', integer)
      .addColumn('milliseconds', integer, column => column.notNull())
      .addColumn('error', text(1024))
      .addColumn('answer', text(1024))
      .addPrimaryKeyConstraint(named('delivery_attempts_pk'), ['merchant_id', 'payment_id', 'number']),
  )

  await createTable(context, 'failing_endpoints', table =>
    table
      .addColumn('merchant_id', id, column => column.notNull().primaryKey())
      .addColumn('failing_since', instant, column => column.notNull())
      .addColumn('paused_at', instant),
  )
}

function indexes({ partialIndexes }: Dialect): TableIndex[] {
  const table = 'deliveries'
  const delivered: TableIndex = {
    table,
    name: 'deliveries_delivered',
    columns: ['last_attempt_at'],
    only: { column: 'state', is: 'delivered' },
  }
  // Where an index leaves no rows out, the one of what is due has these too.
  if (!partialIndexes) return [delivered]
  const only = { column: 'state', is: 'exhausted' }
  return [delivered, { table, name: 'deliveries_exhausted', columns: ['payment_id'], only }]
}
