import type { Migration, MigrationContext, TableIndex } from '../migration.ts'
import { createTable } from '../tables/create-table.ts'

/**
 * What blocks of payments come to, so that no report adds them up again. Readers fill it as they go: processes of the version
 * before, which know nothing of it, change nothing that it says. The index answers what is asked of all merchants.
 */
export const paymentSums: Migration = { tables, indexes }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer, date, json } = context.dialect.types
  await createTable(context, 'payment_sums', table =>
    table
      .addColumn('merchant_id', text(64), column => column.notNull())
      .addColumn('first_id', integer, column => column.notNull())
      .addColumn('last_id', integer, column => column.notNull())
      .addColumn('first_date', date, column => column.notNull())
      .addColumn('last_date', date, column => column.notNull())
      .addColumn('unresolved', text(2048), column => column.notNull())
      .addColumn('totals', json, column => column.notNull())
      .addColumn('takings', json, column => column.notNull())
      .addPrimaryKeyConstraint(context.named('payment_sums_pk'), ['merchant_id', 'first_id']),
  )
}

function indexes(): TableIndex[] {
  const columns = ['last_date', 'first_date', 'merchant_id', 'first_id', 'last_id']
  return [{ table: 'payment_sums', name: 'payment_sums_dates', columns }]
}
