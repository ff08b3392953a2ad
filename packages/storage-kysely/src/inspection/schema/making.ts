import { type Kysely, sql } from 'kysely'
import type { FoundIndex } from '../../migrations/indexes/find-indexes.ts'
import { onlineStatement, type Place, plainStatement } from '../../migrations/indexes/statement-of.ts'
import { placed } from '../../migrations/run/run.ts'
import type { ExpectedIndex } from './expected-indexes.ts'

interface ToMake {
  index: ExpectedIndex
  /** What cannot be there at once with it. */
  inTheWay: FoundIndex[]
  /** Whether PostgreSQL has the table in partitions, which it does not index concurrently. */
  inPartitions: boolean
}

/** What makes an index or a key as it is to be. */
interface Making {
  statements: string[]
  /** Who waits until it is done; left out where nobody does, and on SQLite, where one writes at a time anyway. */
  waits?: string
}

/** Drops what is in the way and makes it, while others write as far as the engine can do that. */
export function making(db: Kysely<unknown>, place: Place, { index, inTheWay, inPartitions }: ToMake): Making {
  const { dialect, named } = place
  const [table, name] = [placed(place, named(index.table)), sql.id(named(index.name))]
  const said = (words: ReturnType<typeof sql>) => words.compile(db).sql
  const columns = sql.join(index.columns.map(column => sql.id(column)))
  const key = index.key === 'primary' ? sql`primary key` : sql`unique`

  if (dialect.name === 'mysql' && index.key === 'primary') {
    const drop = inTheWay.length > 0 ? sql`drop primary key, ` : sql``
    const waits = 'writes to the table wait until it is done'
    return { statements: [said(sql`alter table ${table} ${drop}add primary key (${columns})`)], waits }
  }

  const isPlain = dialect.name === 'sqlite' || inPartitions
  const statement = isPlain ? plainStatement : onlineStatement
  const drops = inTheWay.map(({ table: of, name: which, constraint }) =>
    constraint
      ? said(sql`alter table ${table} drop constraint ${sql.id(which)}`)
      : statement(db, place, { kind: 'drop', migration: '', table: of, name: which }).sql,
  )
  const build = statement(db, place, { kind: 'build', migration: '', index }).sql
  if (index.key === undefined || dialect.name !== 'postgres') {
    const waits = inPartitions ? { waits: 'writes to the table wait until it is done' } : {}
    return { statements: [...drops, build], ...waits }
  }
  if (!inPartitions) {
    const add = said(sql`alter table ${table} add constraint ${name} ${key} using index ${name}`)
    return { statements: [...drops, build, add] }
  }
  const add = said(sql`alter table ${table} add constraint ${name} ${key} (${columns})`)
  return { statements: [...drops, add], waits: 'reads and writes of the table wait until it is done' }
}
