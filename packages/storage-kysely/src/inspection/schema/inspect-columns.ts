import { type Finding, findingsOf } from '@tillkit/domain'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { placed } from '../../migrations/run/run.ts'
import type { Column, PlannedTable } from '../../migrations/tables/planned-tables.ts'
import type { Looking } from '../looking.ts'
import { describeColumns } from './describe-columns.ts'
import { isSameType } from './same-type.ts'

const { warning, problem } = findingsOf('tables')

/** Columns that somebody has altered, or added so that rows are refused, and views in the place of tables. */
export async function inspectColumns(
  { db, dialect }: Looking,
  schema: string | undefined,
  tables: PlannedTable[],
): Promise<Finding[]> {
  const names = tables.map(({ table }) => table)
  const found = await describeColumns(db, dialect, schema, names)
  return tables.flatMap(({ table, made }) => {
    const there = found.filter(one => one.table === table)
    if (there.length === 0) return [noTable(table)]
    const name = placed({ schema }, table)
    return there.flatMap(is => {
      const was = made.find(one => one.name === is.name)
      return was ? altered(db, dialect, { table, name }, is, was) : foreign(table, is)
    })
  })
}

function noTable(table: string): Finding {
  return problem(
    `${table} is no table: what a view does not show counts as gone, and no key keeps a row from being there twice.`,
    'Put the table back in its place.',
  )
}

function foreign(table: string, { name, nullable, hasDefault }: Column): Finding[] {
  if (nullable || hasDefault) return []
  const says = `The column ${name} of ${table} is none of Tillkit’s, and rows that leave it out are refused.`
  return [problem(says, 'Give it a default, or let it be null.')]
}

function altered(
  db: Kysely<unknown>,
  dialect: Dialect,
  table: { table: string; name: RawBuilder<unknown> },
  is: Column,
  was: Column,
): Finding[] {
  const column = `The column ${was.name} of ${table.table}`
  const advice = remaking(db, dialect, table.name, was)
  if (!isSameType(dialect.name, is.type, was.type)) {
    const says = `${column} is ${is.type}, and was made as ${was.type}: what is written may be changed, refused, or taken for something else.`
    return [problem(says, advice)]
  }
  if (was.nullable && !is.nullable)
    return [problem(`${column} may not be null any more: rows that have nothing there are refused.`, advice)]
  if (was.hasDefault && !is.hasDefault && !is.nullable)
    return [problem(`${column} has no default any more: rows that leave it out are refused.`, advice)]
  if (!was.nullable && is.nullable)
    return [warning(`${column} may be null: a row that has nothing there cannot be read.`, advice)]
  return []
}

/** What makes the column again as it was made; not what has been lost since. */
function remaking(
  db: Kysely<unknown>,
  { name: engine }: Dialect,
  table: RawBuilder<unknown>,
  { name, type, nullable, hasDefault }: Column,
): string {
  const [column, isOf] = [sql.id(name), sql.raw(type)]
  if (engine === 'sqlite' || type.endsWith(' generated')) {
    return `Stop all that writes, make the table anew with ${name} as ${type}${nullable ? '' : ' not null'}, and move its rows over.`
  }
  const changed =
    engine === 'mysql'
      ? sql`modify ${column} ${isOf} ${sql.raw(`${nullable ? 'null' : 'not null'}${hasDefault ? ' default 0' : ''}`)}`
      : sql`alter column ${column} type ${isOf} using ${column}::${isOf},
          alter column ${column} ${sql.raw(`${nullable ? 'drop' : 'set'} not null`)}${
            hasDefault ? sql`, alter column ${column} set default 0` : sql``
          }`
  const statement = sql`alter table ${table} ${changed}`.compile(db).sql.replaceAll(/\s+/g, ' ')
  return `Run (reads and writes of the table wait until it is done): ${statement}`
}
