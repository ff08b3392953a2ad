import { type Finding, findingsOf } from '@tillkit/domain'
import { findIndexes } from '../../migrations/indexes/find-indexes.ts'
import { onlineStatement, plainStatement } from '../../migrations/indexes/statement-of.ts'
import type { TableIndex } from '../../migrations/migration.ts'
import type { Migrations } from '../../migrations/migrations.ts'
import type { Looking } from '../looking.ts'
import { many } from '../many.ts'
import { expectedIndexes } from './expected-indexes.ts'

const { ok, note, warning, problem } = findingsOf('indexes')

/** Those that are missing, broken, or no longer of use. */
export async function inspectIndexes(
  { db, dialect, tablePrefix }: Looking,
  schema: string | undefined,
  done: Migrations,
): Promise<Finding[]> {
  const named = (name: string) => `${tablePrefix}${name}`
  const { wanted, left } = await expectedIndexes(done, dialect)
  const tables = [...new Set([...wanted.values()].map(({ table }) => named(table)))]
  const found = await findIndexes(db, dialect, schema, tables)
  const place = { dialect, schema, named }
  const statement = dialect.name === 'sqlite' ? plainStatement : onlineStatement
  const build = (index: TableIndex) => statement(db, place, { kind: 'build', migration: '', index }).sql
  const drop = ({ table, name }: TableIndex) =>
    statement(db, place, { kind: 'drop', migration: '', table: named(table), name: named(name) }).sql

  const findings: Finding[] = []
  for (const index of wanted.values()) {
    const state = found.get(named(index.name))
    if (state?.valid) continue
    const what = `The index ${named(index.name)} of ${named(index.table)} is ${state ? 'broken' : 'missing'}`
    const advice = state ? `Run: ${drop(index)}; ${build(index)}` : `Run: ${build(index)}`
    findings.push(
      index.unique
        ? problem(`${what}: what may be there once may be there twice.`, advice)
        : warning(`${what}: whoever reads by it reads the whole table.`, advice),
    )
  }
  if (findings.length === 0) findings.push(ok(`All ${many(wanted.size, 'index', 'indexes')} are whole.`))
  const unread = [...left].map(named).filter(name => found.has(name))
  if (unread.length > 0) {
    const says = `Indexes that nothing reads by any more take their time of every write: ${unread.join(', ')}.`
    findings.push(
      note(
        says,
        'Once no process of the version before runs, call storage.migrate() without contract: false.',
      ),
    )
  }
  return findings
}
