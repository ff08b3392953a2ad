import { errorCode } from '../../dialects/error-code.ts'
import type { Dialect } from '../../dialects/index.ts'
import type { TableIndex } from '../migration.ts'
import type { Migrations } from '../migrations.ts'
import type { FoundIndex } from './find-indexes.ts'
import type { Change, Situation, Step } from './plan.ts'

/**
 * What is to be built again of migrations that were noted as done: a step that was carried out late, or by hand, may have taken an index
 * away, or left it half built. One over partitions that is not whole may be in the midst of being put together, and serves them
 * as far as it goes: it is left to `inspect`.
 */
export function mend({ dialect, named, pending, done, found }: Situation<FoundIndex>): Change[] {
  const lasting = lastingOf({ ...done, ...pending }, dialect)
  return lasting.flatMap(([migration, index]): Change[] => {
    const [name, table] = [named(index.name), named(index.table)]
    const is = found.get(name)
    if (!(migration in done) || is?.valid || is?.partitioned) return []
    const build: Change = { kind: 'build', migration, index, mends: true }
    return is ? [{ kind: 'drop', migration, table, name, mends: true }, build] : [build]
  })
}

/** May not: in PostgreSQL's words, and in those of MariaDB and MySQL. No index that is built by itself is unique, and so rows are in the way of none. */
const REFUSED = new Set(['42501', 'ER_TABLEACCESS_DENIED_ERROR'])

/**
 * Whether an error leaves an index as it is, which others worked without until now: it is noted as `unmended`, `inspect` says so, and
 * everything else goes on.
 */
export function leaves(
  { named, unmended }: Pick<Situation, 'named'> & { unmended: Set<string> },
  step: Step,
  error: unknown,
): boolean {
  if (step.kind === 'note' || !step.mends || !REFUSED.has(errorCode(error))) return false
  unmended.add(indexOf(step, named))
  return true
}

/** Of which index a change is. */
export const indexOf = (change: Change, named: (name: string) => string): string =>
  change.kind === 'build' ? named(change.index.name) : change.name

/** The indexes that no migration drops, each as the last migration has it. */
function lastingOf(migrations: Migrations, dialect: Dialect): [migration: string, index: TableIndex][] {
  const lasting = new Map<string, [string, TableIndex]>()
  for (const [migration, { indexes }] of Object.entries(migrations))
    for (const index of indexes?.(dialect) ?? []) lasting.set(index.name, [migration, index])
  for (const { drops } of Object.values(migrations))
    for (const { name } of drops?.(dialect) ?? []) lasting.delete(name)
  return [...lasting.values()]
}
