import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { correctionOf, MIGRATIONS, type Migrations } from '../../migrations/migrations.ts'
import { isKnown } from '../../migrations/refusals/refuse-newer.ts'
import { findColumns } from '../../migrations/tables/find-columns.ts'
import { plannedTables } from '../../migrations/tables/planned-tables.ts'
import { type Looking, lookAt } from '../looking.ts'
import { many } from '../many.ts'
import { inspectColumns } from './inspect-columns.ts'
import { inspectIndexes } from './inspect-indexes.ts'
import { inspectPartitions } from './inspect-partitions.ts'

const { ok, note, warning, problem } = findingsOf('migrations')
const ofTables = findingsOf('tables')

const MIGRATE =
  'Call storage.migrate() with the rights of the tables’ owner, before processes of this version.'

/** Migrations, tables and indexes, set against what this version would make. */
export async function inspectSchema(looking: Looking): Promise<Finding[]> {
  const { dialect, tables } = looking
  let names: string[]
  try {
    names = (await tables.selectFrom('migrations').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    )
  } catch (error) {
    if (!dialect.isMissingTable(error)) throw error
    return [problem('The database has no Tillkit tables.', MIGRATE)]
  }
  const done = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => names.includes(name)))
  // Of one that was begun and is not done nothing is known yet.
  if (Object.keys(done).length === 0) return ofMigrations(names)
  const schema = await schemaOf(looking)
  return [
    ...ofMigrations(names),
    ...(await lookAt('tables', looking, () => inspectTables(looking, schema, done))),
    ...(await lookAt('indexes', looking, () => inspectIndexes(looking, schema, done))),
  ]
}

function ofMigrations(names: string[]): Finding[] {
  const known = Object.keys(MIGRATIONS)
  const missing = known.filter(name => !names.includes(name))
  const newer = names.filter(name => !isKnown(name, MIGRATIONS))
  const found: Finding[] = []
  if (missing.length > 0) found.push(problem(`Migrations are missing: ${missing.join(', ')}.`, MIGRATE))
  else found.push(ok(`All ${many(known.length, 'migration')} are done; the last is ${known.at(-1)}.`))
  if (newer.length > 0) {
    const says = `A newer version of Tillkit has been at the database: ${newer.join(', ')}.`
    found.push(warning(says, 'Replace the processes of this version by those of that one.'))
  }
  return [...found, ...ofCorrections(names)]
}

/** Of what processes of the version before may have left wrong. */
function ofCorrections(names: string[]): Finding[] {
  const left = Object.entries(MIGRATIONS).filter(
    ([name, { correction }]) => correction && names.includes(name) && !names.includes(correctionOf(name)),
  )
  return left.map(([name, { correction }]) =>
    note(
      `What processes of a version before ${name} write is not in all ${correction?.table}.`,
      'Once none of them runs, call storage.migrate({ contract: true }).',
    ),
  )
}

/** Where the tables are, on PostgreSQL. */
async function schemaOf({ db, dialect, schema, tablePrefix }: Looking): Promise<string | undefined> {
  if (dialect.name !== 'postgres' || schema !== undefined) return schema
  const name = `"${tablePrefix}migrations"`
  const { rows } = await sql<{ schema: string }>`select nspname as schema from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace where c.oid = to_regclass(${name})`.execute(db)
  return rows[0]?.schema
}

async function inspectTables(
  looking: Looking,
  schema: string | undefined,
  done: Migrations,
): Promise<Finding[]> {
  const { db, dialect, tablePrefix } = looking
  const planned = await plannedTables(done, dialect, name => `${tablePrefix}${name}`)
  const found = await findColumns(
    db,
    dialect,
    schema,
    planned.map(({ table }) => table),
  )
  const findings = planned.flatMap(({ table, columns, added }) => {
    const there = found.get(table)
    if (there === undefined) return [ofTables.problem(`The table ${table} is gone.`, RESTORE)]
    const missing = [...columns, ...added].filter(column => !there.includes(column))
    if (missing.length === 0) return []
    return [ofTables.problem(`The table ${table} has no ${missing.join(', ')}.`, RESTORE)]
  })
  const there = planned.filter(({ table }) => found.has(table))
  findings.push(
    ...(await inspectColumns(looking, schema, there)),
    ...(await inspectPartitions(
      looking,
      schema,
      planned.map(({ table }) => table),
    )),
  )
  if (findings.some(({ check }) => check === 'tables')) return findings
  return [...findings, ofTables.ok(`All ${many(planned.length, 'table')} are there, with their columns.`)]
}

const RESTORE =
  'Nothing of Tillkit’s takes that away: restore it from a backup before anything else is written.'
