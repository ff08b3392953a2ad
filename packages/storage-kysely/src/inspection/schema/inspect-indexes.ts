import { type Finding, findingsOf } from '@tillkit/domain'
import type { Kysely } from 'kysely'
import { findIndexes } from '../../migrations/indexes/find-indexes.ts'
import type { Place } from '../../migrations/indexes/statement-of.ts'
import { MIGRATIONS, type Migrations } from '../../migrations/migrations.ts'
import { isInPartitions } from '../../migrations/run/over-partitions.ts'
import { agreedPartitions } from '../../migrations/tables/partitions.ts'
import type { Looking } from '../looking.ts'
import { many } from '../many.ts'
import { isWhole, takesThePlaceOf } from './as-made.ts'
import { describeColumns } from './describe-columns.ts'
import { expectedIndexes } from './expected-indexes.ts'
import { making } from './making.ts'

const { ok, note, warning, problem } = findingsOf('indexes')

/** Those that are missing, broken, of another form than they are made in, or no longer of use. */
export async function inspectIndexes(
  { db, dialect, tablePrefix }: Looking,
  schema: string | undefined,
  done: Migrations,
): Promise<Finding[]> {
  const named = (name: string) => `${tablePrefix}${name}`
  const place = { dialect, schema, named }
  const partitions = await agreedPartitions(db, dialect, { schema, table: named('payments') }, undefined)
  const { wanted, left } = await expectedIndexes(done, dialect, partitions)
  // A migration that is under way may have made some in a later form.
  const later = await expectedIndexes(MIGRATIONS, dialect, partitions)
  const tables = [...new Set([...wanted.values()].map(({ table }) => named(table)))]
  // What is gone, or a view by now, is told of as that.
  const there = new Set((await describeColumns(db, dialect, schema, tables)).map(({ table }) => table))
  const expected = [...wanted.values()].filter(({ table }) => there.has(named(table)))
  const found = await findIndexes(db, dialect, schema, tables)

  const findings: Finding[] = []
  for (const index of expected) {
    const table = named(index.table)
    const ofTable = found.filter(one => one.table === table)
    const forms = [index, later.wanted.get(index.name) ?? index]
    if (isWhole(ofTable, index, forms, place)) continue
    const inTheWay = ofTable.filter(one => takesThePlaceOf(one, index, place))
    const inPartitions = dialect.name === 'postgres' && (await isInPartitions(db, place, table))
    findings.push(notWhole(db, place, { index, inTheWay, inPartitions }))
  }
  if (findings.length === 0 && there.size === tables.length) {
    const keys = expected.filter(({ key }) => key).length
    const indexes = many(expected.length - keys, 'index', 'indexes')
    findings.push(ok(`All ${indexes} are whole, and all ${many(keys, 'key')}.`))
  }
  const names = new Set(found.map(({ name }) => name))
  const unread = [...left].map(named).filter(name => names.has(name))
  if (unread.length > 0) {
    const says = `Indexes that nothing reads by any more take their time of every write: ${unread.join(', ')}.`
    findings.push(
      note(says, 'Once no process of the version before runs, call storage.migrate({ contract: true }).'),
    )
  }
  return findings
}

function notWhole(db: Kysely<unknown>, place: Place, made: Parameters<typeof making>[2]): Finding {
  const { index, inTheWay } = made
  const { statements, waits } = making(db, place, made)
  const advice = `Run${waits ? ` (${waits})` : ''}: ${statements.join('; ')}`
  const name = place.named(index.name)
  const called =
    index.key === 'primary' ? 'primary key' : `${index.key === 'unique' ? 'unique key' : 'index'} ${name}`
  const [state = 'missing'] = inTheWay.map(({ valid }) => (valid ? 'of another form' : 'broken'))
  const what = `The ${called} of ${place.named(index.table)} is ${state}`
  if (index.unique) return problem(`${what}: what may be there once may be there twice.`, advice)
  return warning(`${what}: whoever reads by it may read the whole table.`, advice)
}
