import type { Migration, MigrationContext } from '../migration.ts'
import { addColumns } from '../tables/add-columns.ts'

/**
 * The trace in which an outcome was recorded, for whoever attempts its delivery. Processes of the version before leave it
 * out, and so do those of this one where nobody traces.
 */
export const traces: Migration = { tables }

async function tables(context: MigrationContext): Promise<void> {
  const { text } = context.dialect.types
  await addColumns(context, 'deliveries', [{ name: 'traceparent', type: text(64) }])
}
