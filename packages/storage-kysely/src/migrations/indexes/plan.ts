import type { Dialect } from '../../dialects/index.ts'
import type { TableIndex } from '../migration.ts'
import type { Migrations } from '../migrations.ts'

/** What is to be done to an index; `mends` where that is of a migration that is done. Names are full. */
export type Change = { migration: string; mends?: true } & (
  | { kind: 'build'; index: TableIndex }
  | { kind: 'rename' | 'drop'; name: string; table: string }
)

/** Or, of a migration that has got to its end, to be noted. */
export type Step = Change | { kind: 'note'; migration: string }

export interface Situation<Found = { valid: boolean }> {
  dialect: Dialect
  named(name: string): string
  /** What has not been noted as done, in order. */
  pending: Migrations
  /** What has. */
  done: Migrations
  /** The indexes that there are. */
  found: ReadonlyMap<string, Found>
  /** Whether what is no longer read by goes. */
  contract: boolean
}

/**
 * All that is left to be done, by what there is and by nothing else, so that whoever was killed or overtaken at any moment goes on
 * from there. What is new comes first, and what goes goes last.
 */
export function plan({ dialect, named, pending, done, found: before, contract }: Situation): Step[] {
  const steps: Step[] = []
  const found = new Map<string, { valid: boolean }>(before)
  const drop = (migration: string, table: string, name: string) => {
    steps.push({ kind: 'drop', migration, table: named(table), name })
    found.delete(name)
  }
  for (const [migration, { indexes }] of Object.entries(pending)) {
    for (const index of indexes?.(dialect) ?? []) {
      const [name, old] = [named(index.name), named(oldName(index))]
      if (index.replaces && found.has(name) && !found.has(old)) {
        steps.push({ kind: 'rename', migration, table: named(index.table), name })
        found.set(old, { valid: true })
        found.delete(name)
      }
      if (found.get(name)?.valid === false) drop(migration, index.table, name)
      if (!found.has(name)) steps.push({ kind: 'build', migration, index })
      found.set(name, { valid: true })
    }
    steps.push({ kind: 'note', migration })
  }
  if (!contract) return steps
  for (const [migration, { indexes, drops }] of Object.entries({ ...done, ...pending })) {
    const replaced = (indexes?.(dialect) ?? []).filter(({ replaces }) => replaces)
    const olds = replaced.map(index => ({ table: index.table, name: oldName(index) }))
    for (const { table, name } of [...olds, ...(drops?.(dialect) ?? [])]) {
      if (found.has(named(name))) drop(migration, table, named(name))
    }
  }
  return steps
}

/** What an index that another one takes the name of is called until it is dropped. */
export function oldName({ name }: { name: string }): string {
  return `${name}_old`
}

/** The tables, by their full names, whose indexes the migrations change. */
export function tablesOf(
  migrations: Migrations,
  dialect: Dialect,
  named: (name: string) => string,
): string[] {
  const changed = Object.values(migrations).flatMap(({ indexes, drops }) => [
    ...(indexes?.(dialect) ?? []),
    ...(drops?.(dialect) ?? []),
  ])
  return [...new Set(changed.map(({ table }) => named(table)))]
}
