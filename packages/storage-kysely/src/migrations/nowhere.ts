import {
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type RootOperationNode,
} from 'kysely'

/**
 * A database that is not there, which notes the statements of a migration. How they would be said does not matter, and so
 * neither does the dialect.
 */
export function nowhere(note: (node: RootOperationNode) => void): Kysely<unknown> {
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
