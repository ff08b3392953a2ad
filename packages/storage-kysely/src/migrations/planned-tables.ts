import {
  type AlterTableNode,
  type CreateTableNode,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type RootOperationNode,
} from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { MIGRATIONS } from './migrations.ts'

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
  dialect: Dialect,
  named: (name: string) => string,
): Promise<PlannedTable[]> {
  const planned: PlannedTable[] = []
  for (const [migration, up] of Object.entries(MIGRATIONS)) {
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
    await up({ db: nowhere(note), dialect, suffix: null, named })
  }
  return planned
}

function shapeOf({ table, columns }: CreateTableNode): Pick<PlannedTable, 'table' | 'columns'> {
  return { table: table.table.identifier.name, columns: columns.map(({ column }) => column.column.name) }
}

/** How it would be said does not matter, and so neither does the dialect. */
function nowhere(note: (node: RootOperationNode) => void): Kysely<unknown> {
  const noting: KyselyPlugin = {
    transformQuery({ node }) {
      note(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return new Kysely<unknown>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new MysqlAdapter(),
      createQueryCompiler: () => new MysqlQueryCompiler(),
      createIntrospector: db => new MysqlIntrospector(db),
    },
    plugins: [noting],
  })
}
