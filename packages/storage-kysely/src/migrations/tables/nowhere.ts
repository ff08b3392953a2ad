import {
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type RootOperationNode,
} from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import type { MigrationContext } from '../migration.ts'

/** For a database that is not there, which is empty and notes the statements of a migration. */
export function nowhere(
  dialect: Dialect,
  named: (name: string) => string,
  note: (node: RootOperationNode) => void,
): MigrationContext {
  return {
    ...{
      db: noting(note),
      dialect,
      suffix: null,
      schema: undefined,
      partitions: 0,
      compressed: false,
      named,
    },
    ...{ columnsOf: async () => [], made: new Set() },
  }
}

/** How the statements would be said does not matter, and so neither does kysely's dialect. */
function noting(note: (node: RootOperationNode) => void): Kysely<unknown> {
  const plugin: KyselyPlugin = {
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
    plugins: [plugin],
  })
}
