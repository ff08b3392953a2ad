import type {
  AlterTableNode,
  ColumnDefinitionNode,
  CreateTableNode,
  DataTypeNode,
  OperationNode,
  RawNode,
  RootOperationNode,
} from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import type { Migrations } from '../migrations.ts'
import { nowhere } from './nowhere.ts'

/** What a column may hold. */
export interface Column {
  name: string
  type: string
  nullable: boolean
  /** Whether a row may leave it out though it may not be null. */
  hasDefault: boolean
}

/** A table that a migration makes, by its full name. */
export interface PlannedTable {
  migration: string
  table: string
  columns: string[]
  /** What later migrations add to it. */
  added: string[]
  /** All of them, in the words of the migrations. */
  made: Column[]
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
      const made = columnAlterations.flatMap(one =>
        one.kind === 'AddColumnNode' ? [columnOf(one.column)] : [],
      )
      const there = planned.find(one => one.table === table.table.identifier.name)
      there?.added.push(...made.map(({ name }) => name))
      there?.made.push(...made)
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

function shapeOf({ table, columns }: CreateTableNode): Omit<PlannedTable, 'migration' | 'added'> {
  const made = columns.map(columnOf)
  return { table: table.table.identifier.name, columns: made.map(({ name }) => name), made }
}

function columnOf({ column, dataType, notNull, defaultTo, generated }: ColumnDefinitionNode): Column {
  return {
    name: column.column.name,
    type: `${wordsOf(dataType)}${generated ? ' generated' : ''}`,
    nullable: !notNull,
    hasDefault: defaultTo !== undefined,
  }
}

/** A type is named by one of kysely's words for it, or by the engine's own. */
function wordsOf(type: OperationNode): string {
  if (type.kind === 'DataTypeNode') return (type as DataTypeNode).dataType
  return (type as RawNode).sqlFragments.join('')
}
