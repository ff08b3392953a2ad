import type { RootOperationNode } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialectOf } from '../../../src/dialects/index.ts'
import { oldName } from '../../../src/migrations/indexes/plan.ts'
import type { Migration } from '../../../src/migrations/migration.ts'
import { MIGRATIONS } from '../../../src/migrations/migrations.ts'
import { nowhere } from '../../../src/migrations/tables/nowhere.ts'

const DIALECTS = (['sqlite', 'postgres', 'mysql'] as const).map(dialectOf)

/** The statements by which a migration makes tables, run over a database that is not there. */
async function statementsOf({ tables }: Migration): Promise<RootOperationNode[]> {
  const statements: RootOperationNode[] = []
  await tables?.(
    nowhere(
      dialectOf('postgres'),
      table => `tillkit_${table}`,
      node => statements.push(node),
    ),
  )
  return statements
}

/** Why a process of the version before could not go on writing beside this statement; undefined where it can. */
function hindrance(node: RootOperationNode): string | undefined {
  if (node.kind === 'CreateTableNode') return undefined
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

describe.each(Object.entries(MIGRATIONS).slice(1))('the version before goes on beside %s', (_, migration) => {
  test('its tables and columns', async () => {
    expect((await statementsOf(migration)).map(hindrance).filter(Boolean)).toEqual([])
  })

  test.each(DIALECTS)('its indexes on $name', dialect => {
    expect((migration.indexes?.(dialect) ?? []).filter(({ unique }) => unique)).toEqual([])
  })
})

test.each(DIALECTS)('on $name no index takes a name that another one had, unless it says so', dialect => {
  const taken = new Set<string>()
  for (const { indexes, drops } of Object.values(MIGRATIONS)) {
    for (const index of indexes?.(dialect) ?? []) {
      if (!index.replaces) expect([...taken]).not.toContain(index.name)
      for (const name of index.replaces ? [index.name, oldName(index)] : [index.name]) taken.add(name)
    }
    for (const { name } of drops?.(dialect) ?? []) taken.add(name)
  }
})
