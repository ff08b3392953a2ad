import type { RootOperationNode } from 'kysely'
import { expect, test } from 'vitest'
import { dialectOf } from '../src/dialects/index.ts'
import { MIGRATIONS } from '../src/migrations/migrations.ts'
import { nowhere } from '../src/migrations/nowhere.ts'

/** The statements of a migration, run over a database that is not there. */
async function statementsOf(name: string): Promise<RootOperationNode[]> {
  const statements: RootOperationNode[] = []
  const db = nowhere(node => statements.push(node))
  const dialect = dialectOf('postgres')
  await MIGRATIONS[name]?.({ db, dialect, suffix: null, named: table => `tillkit_${table}` })
  return statements
}

/** Why a process of the version before could not go on writing beside this statement; undefined where it can. */
function hindrance(node: RootOperationNode): string | undefined {
  if (node.kind === 'CreateTableNode') return undefined
  if (node.kind === 'CreateIndexNode') return node.unique ? 'a unique index' : undefined
  // Slower, and no more than that: what it asked of the index it now reads from the table.
  if (node.kind === 'DropIndexNode') return undefined
  if (node.kind !== 'AlterTableNode') return node.kind
  const { kind, table, columnAlterations = [], ...others } = node
  const [other] = Object.entries(others).find(([, part]) => part !== undefined) ?? []
  if (other) return other
  const altered = columnAlterations.find(alteration => alteration.kind !== 'AddColumnNode')
  if (altered) return altered.kind
  const must = columnAlterations.find(
    alteration =>
      alteration.kind === 'AddColumnNode' && alteration.column.notNull && !alteration.column.defaultTo,
  )
  return must && 'a column that each row must have'
}

test.each(Object.keys(MIGRATIONS).slice(1))('the version before goes on beside %s', async name => {
  expect((await statementsOf(name)).map(hindrance).filter(Boolean)).toEqual([])
})
