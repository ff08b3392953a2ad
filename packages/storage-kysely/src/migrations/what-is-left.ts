import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { faultOf } from '../faults/fault-of.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { currentSchema } from './current-schema.ts'
import type { Step } from './indexes/plan.ts'
import { correctionOf, MIGRATIONS, type Migrations } from './migrations.ts'
import type { MigrationStep } from './options.ts'
import { isKnown, type Notes, readNotes } from './refusals/refuse-newer.ts'
import { stepOf, whatIsLeft, whatIsLeftOnline } from './run/run.ts'

/** What a `migrate` that is to leave nothing would do. Changes nothing. */
export async function migrationsLeft(
  db: Kysely<Tables>,
  dialect: Dialect,
  names: NameOptions,
): Promise<MigrationStep[]> {
  try {
    return await look(db as Kysely<unknown>, dialect, names)
  } catch (error) {
    throw faultOf(error, dialect)
  }
}

async function look(
  db: Kysely<unknown>,
  dialect: Dialect,
  { tablePrefix = 'tillkit_', schema: given }: NameOptions,
): Promise<MigrationStep[]> {
  const named = (name: string) => `${tablePrefix}${name}`
  const schema = given ?? (await currentSchema(db, dialect, named))
  const placed = schema === undefined ? db : db.withSchema(schema)
  const notes = await readNotes(placed, dialect, named('migrations'))
  // A newer version would refuse this one: what is left is its own to do.
  if ([...notes.keys()].some(name => !isKnown(name, MIGRATIONS))) return []
  const pick = (isDone: boolean) =>
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => notes.has(name) === isDone))
  const place = { dialect, schema, named, contract: true, unmended: new Set<string>() }
  const find = dialect.name === 'sqlite' ? whatIsLeft : whatIsLeftOnline
  const steps = await find(db, place, { done: pick(true), pending: pick(false) })
  return [...steps.map(step => toStep(place, step)), ...correctionsLeft(MIGRATIONS, notes, named)]
}

/** That a migration has not been noted stands for its tables and columns. */
function toStep(place: { named(name: string): string }, step: Step): MigrationStep {
  if (step.kind !== 'note') return stepOf(place, step)
  return { migration: step.migration, step: 'tables', table: null, index: null }
}

/** Nobody has left anything wrong where there has been nobody. */
function correctionsLeft(
  migrations: Migrations,
  notes: Notes,
  named: (name: string) => string,
): MigrationStep[] {
  if (notes.size === 0) return []
  return Object.entries(migrations).flatMap(([migration, { correction }]) =>
    correction === undefined || notes.has(correctionOf(migration))
      ? []
      : [{ migration, step: 'correct' as const, table: named(correction.table), index: null }],
  )
}
