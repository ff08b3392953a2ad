import type { Dialect } from '../../dialects/dialect.ts'
import { oldName } from '../../migrations/indexes/plan.ts'
import type { TableIndex } from '../../migrations/migration.ts'
import type { Migrations } from '../../migrations/migrations.ts'
import { nowhere } from '../../migrations/tables/nowhere.ts'

/** Indexes as they are once migrations have got to their end. */
interface ExpectedIndexes {
  /** By their names without the prefix. */
  wanted: Map<string, TableIndex>
  /** The names of those that are read by no more. */
  left: Set<string>
}

/** What is there after these migrations, with all that goes gone. They are run over a database that is not there. */
export async function expectedIndexes(migrations: Migrations, dialect: Dialect): Promise<ExpectedIndexes> {
  const wanted = new Map<string, TableIndex>()
  const left = new Set<string>()
  const noteIndex = (index: TableIndex) => {
    wanted.set(index.name, index)
    left.delete(index.name)
  }
  const context = {
    ...nowhere(
      dialect,
      name => name,
      () => {},
    ),
    noteIndex,
  }
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
