import type { AlterTableNode, CreateTableNode, RootOperationNode } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import type { Migrations } from '../migrations.ts'
import { nowhere } from './nowhere.ts'

/** A table that a migration makes, by its full name. */
export interface PlannedTable {
  migration: string
  table: string
  columns: string[]
  /** What later migrations add to it. */
  added: string[]
}

/** The tables that the migrations make. They are run over a database that is not there, so that none is touched. */
export async function plannedTables(
  migrations: Migrations,
  dialect: Dialect,
  named: (name: string) => string,
): Promise<PlannedTable[]> {
  const planned: PlannedTable[] = []
  for (const [migration, { tables }] of Object.entries(migrations)) {
    const noteAdded = ({ table, columnAlterations = [] }: AlterTableNode) => {
      const names = columnAlterations.flatMap(one =>
        one.kind === 'AddColumnNode' ? [one.column.column.column.name] : [],
      )
      planned.find(one => one.table === table.table.identifier.name)?.added.push(...names)
    }
    const note = (node: RootOperationNode) => {
      if (node.kind === 'CreateTableNode')
        planned.push({ migration, ...shapeOf(node as CreateTableNode), added: [] })
      if (node.kind === 'AlterTableNode') noteAdded(node as AlterTableNode)
    }
    await tables?.(nowhere(dialect, named, note))
  }
  return planned
}

function shapeOf({ table, columns }: CreateTableNode): Pick<PlannedTable, 'table' | 'columns'> {
  return { table: table.table.identifier.name, columns: columns.map(({ column }) => column.column.name) }
}
