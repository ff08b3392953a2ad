import { sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { uncommonValue } from '../../schema/planner/uncommon.ts'
import type { Migration, MigrationContext, TableIndex } from '../migration.ts'
import { addColumns } from '../tables/add-columns.ts'

/**
 * An only attempt that was a success stands in its delivery's row, so that most deliveries have no other row and no entry
 * in a second index; and of states an index holds those that few have. Processes of the version before write each attempt
 * into a row of its own, which stays right; such an only attempt they show in the delivery, and not among its attempts, and one
 * that they redeliver takes its place in the delivery, so that it is left out of them from then on.
 */
export const loneAttempts: Migration = { tables, indexes, drops }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer } = context.dialect.types
  await addColumns(context, 'deliveries', [
    { name: 'lone_milliseconds', type: integer },
    { name: 'lone_answer', type: text(1024) },
  ])
}

function indexes({ name: engine, partialIndexes }: Dialect): TableIndex[] {
  if (!partialIndexes) return []
  const [table, name] = ['deliveries', 'deliveries_undelivered'] as const
  if (engine === 'sqlite') {
    const only = sql<boolean>`state <> 'delivered'`
    return [{ table, name, columns: ['merchant_id', 'state', 'payment_id'], only }]
  }
  const expression = uncommonValue(table)
  const only = sql<boolean>`${expression} is not null`
  return [{ table, name, expression, columns: ['merchant_id', 'payment_id'], only }]
}

function drops({ name, partialIndexes }: Dialect): Pick<TableIndex, 'table' | 'name'>[] {
  if (!partialIndexes) return []
  return [{ table: 'deliveries', name: name === 'postgres' ? 'deliveries_of_state' : 'deliveries_by_state' }]
}
