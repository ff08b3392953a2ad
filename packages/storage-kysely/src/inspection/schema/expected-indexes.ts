import type { ColumnNode, CreateTableNode, RootOperationNode } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { oldName } from '../../migrations/indexes/plan.ts'
import type { TableIndex } from '../../migrations/migration.ts'
import type { Migrations } from '../../migrations/migrations.ts'
import { nowhere } from '../../migrations/tables/nowhere.ts'

/** An index, or a key that a table is made with. */
export interface ExpectedIndex extends TableIndex {
  key?: 'primary' | 'unique'
}

/** Indexes as they are once migrations have got to their end. */
interface ExpectedIndexes {
  /** By their names without the prefix. */
  wanted: Map<string, ExpectedIndex>
  /** The names of those that are read by no more. */
  left: Set<string>
}

/**
 * What is there after these migrations, with all that goes gone, where tables are in so many partitions. They are run over a
 * database that is not there.
 */
export async function expectedIndexes(
  migrations: Migrations,
  dialect: Dialect,
  partitions: number,
): Promise<ExpectedIndexes> {
  const wanted = new Map<string, ExpectedIndex>()
  const left = new Set<string>()
  const noteIndex = (index: TableIndex) => {
    wanted.set(index.name, index)
    left.delete(index.name)
  }
  const noteKeys = (node: RootOperationNode) => {
    if (node.kind !== 'CreateTableNode') return
    // Unique indexes that are made with the table are among its keys on MySQL, and have been noted.
    for (const key of keysOf(node as CreateTableNode)) if (!wanted.has(key.name)) wanted.set(key.name, key)
  }
  const context = { ...nowhere(dialect, name => name, noteKeys), partitions, noteIndex }
  for (const { tables, indexes, drops } of Object.values(migrations)) {
    await tables?.(context)
    for (const index of indexes?.(dialect) ?? []) {
      noteIndex(index)
      if (index.replaces) left.add(oldName(index))
    }
    for (const { name } of drops?.(dialect) ?? []) {
      wanted.delete(name)
      left.add(name)
    }
  }
  return { wanted, left }
}

function keysOf({ table, columns, constraints = [] }: CreateTableNode): ExpectedIndex[] {
  const of = table.table.identifier.name
  const keys: ExpectedIndex[] = columns
    .filter(({ primaryKey }) => primaryKey)
    .map(({ column }) => ({
      ...{ table: of, key: 'primary', name: `${of}_pkey`, columns: [column.column.name], unique: true },
    }))
  for (const one of constraints) {
    if (one.kind !== 'PrimaryKeyConstraintNode' && one.kind !== 'UniqueConstraintNode') continue
    const key = one.kind === 'PrimaryKeyConstraintNode' ? 'primary' : 'unique'
    const names = (one.columns as ColumnNode[]).map(({ column }) => column.name)
    keys.push({ table: of, key, name: one.name?.name ?? '', columns: names, unique: true })
  }
  return keys
}
