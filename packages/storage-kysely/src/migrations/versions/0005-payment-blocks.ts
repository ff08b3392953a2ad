import type { Migration, MigrationContext } from '../migration.ts'
import { createTable } from '../tables/create-table.ts'

/**
 * How many of the payments up to an id have failed, so that no total counts them again. Readers fill it as they go:
 * processes of the version before, which know nothing of it, change nothing that it says.
 */
export const paymentBlocks: Migration = { tables }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer } = context.dialect.types
  await createTable(context, 'payment_blocks', table =>
    table
      .addColumn('merchant_id', text(64), column => column.notNull())
      .addColumn('up_to', integer, column => column.notNull())
      .addColumn('errors', integer, column => column.notNull())
      .addColumn('unresolved', text(4096), column => column.notNull())
      .addPrimaryKeyConstraint(context.named('payment_blocks_pk'), ['merchant_id', 'up_to']),
  )
}
