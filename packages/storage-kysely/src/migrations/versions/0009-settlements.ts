import { recountSettlements } from '../corrections/recount-settlements.ts'
import type { Migration, MigrationContext, TableIndex } from '../migration.ts'
import { createTable } from '../tables/create-table.ts'

/**
 * Statements that were imported, and what each merchant has under a statement reference. What processes of the version before settle
 * beside it is counted where it is the first of its reference that this version meets, and else when those processes are gone.
 */
export const settlements: Migration = {
  ...{ tables, indexes },
  correction: { table: 'settlements', run: recountSettlements },
}

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer, instant } = context.dialect.types
  const { named } = context
  const reference = text(255)

  await createTable(context, 'statements', table =>
    table
      .addColumn('reference', reference, column => column.notNull().primaryKey())
      .addColumn('started_at', instant, column => column.notNull())
      .addColumn('finished_at', instant)
      .addColumn('row_count', integer)
      .addColumn('difference_count', integer),
  )

  await createTable(context, 'settlements', table =>
    table
      .addColumn('merchant_id', text(64), column => column.notNull())
      .addColumn('statement_reference', reference, column => column.notNull())
      .addColumn('payment_count', integer, column => column.notNull())
      .addColumn('total_amount', integer, column => column.notNull())
      .addColumn('total_fees', integer, column => column.notNull())
      .addPrimaryKeyConstraint(named('settlements_pk'), ['merchant_id', 'statement_reference']),
  )
}

function indexes(): TableIndex[] {
  return [
    { table: 'statements', name: 'statements_newest', columns: ['started_at', 'reference'] },
    {
      table: 'settlements',
      name: 'settlements_of_statement',
      columns: ['statement_reference', 'merchant_id'],
    },
  ]
}
