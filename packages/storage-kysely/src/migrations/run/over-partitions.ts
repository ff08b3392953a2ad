import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { isSet } from '../../schema/is-set.ts'
import { createIndex } from '../indexes/index-of-table.ts'
import type { Change } from '../indexes/plan.ts'
import { plainStatement } from '../indexes/statement-of.ts'
import { placed, type Run } from './run.ts'
import { inShortTransaction } from './short-transaction.ts'

interface Partition {
  name: string
  /** Whether it has the index, whole or not; null where it has none. */
  valid: boolean | null
}

/**
 * The next thing to be done of a change of a table in partitions, which PostgreSQL does not change concurrently: each
 * partition has its index built by itself, and a short transaction makes them one.
 */
export async function changeOverPartitions(db: Kysely<unknown>, run: Run, change: Change): Promise<void> {
  const plain = () => plainStatement(db, run, change)
  if (change.kind !== 'build') {
    return void (await inShortTransaction(db, run, trx => trx.executeQuery(plain())))
  }
  const { index } = change
  // An index of another form may have had the same name.
  const form = createHash('sha256').update(plain().sql).digest('hex').slice(0, 8)
  const partitions = await partitionsOf(db, run, run.named(index.table), form)
  const left = partitions.find(({ valid }) => valid !== true)
  if (left) {
    const name = indexOf(left.name, form)
    if (left.valid === false) {
      return void (await sql`drop index concurrently if exists ${placed(run, name)}`.execute(db))
    }
    const on = run.schema === undefined ? db : db.withSchema(run.schema)
    const { sql: text } = createIndex(on, given => given, left.name, { ...index, name }).compile()
    return void (await db.executeQuery(CompiledQuery.raw(text.replace(/ index /, '$&concurrently '))))
  }
  await inShortTransaction(db, run, async trx => {
    await trx.executeQuery(CompiledQuery.raw(plain().sql.replace(/ on /, ' on only ')))
    for (const partition of partitions) {
      const one = placed(run, indexOf(partition.name, form))
      await sql`alter index ${placed(run, run.named(index.name))} attach partition ${one}`.execute(trx)
    }
  })
}

/** A partition's own index: short, since PostgreSQL cuts names that are long. */
const indexOf = (partition: string, form: string) => `${partition}_${form}`

/** The partitions of a table, each with what it has of an index of that form. */
async function partitionsOf(
  db: Kysely<unknown>,
  { schema }: Run,
  table: string,
  form: string,
): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits as h
    join pg_class as c on c.oid = h.inhrelid join pg_class as p on p.oid = h.inhparent
    where p.relname = ${sql.lit(table)}
      and p.relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})
    order by length(c.relname), c.relname`.execute(db)
  const names = rows.map(({ name }) => name)
  const listed = sql.join(names.map(name => sql.lit(indexOf(name, form))))
  const { rows: found } = await sql<{ name: string; valid: unknown }>`
    select c.relname as name, (x.indisvalid and x.indisready)::int as valid
    from pg_index as x join pg_class as c on c.oid = x.indexrelid
    where c.relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})
      and c.relname in (${listed})`.execute(db)
  const validOf = new Map(found.map(({ name, valid }) => [name, isSet(valid)]))
  return names.map(name => ({ name, valid: validOf.get(indexOf(name, form)) ?? null }))
}

/** True for a table that is made of others. */
export async function isInPartitions(
  db: Kysely<unknown>,
  { schema }: Pick<Run, 'schema'>,
  table: string,
): Promise<boolean> {
  const { rows } = await sql`select from pg_class where relkind = 'p' and relname = ${sql.lit(table)}
    and relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})`.execute(db)
  return rows.length > 0
}
