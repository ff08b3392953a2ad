import { type Finding, findingsOf } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import type { Whole } from '../../schema/rows/payment-row.ts'
import type { Looking } from '../looking.ts'

/** Each partition of the tables with rows of webhooks and payments, and the indexes of both, by a claim. */
const LOCKS_A_PARTITION = 27

/** So many claims should have room at once, whichever processes make them. */
const AT_ONCE = 10

interface Partition {
  table: string
  /** Null where the table has no partition at all. */
  modulus: Whole | null
}

/** Tables in partitions on PostgreSQL: one may be gone, and claims lock all of them. */
export async function inspectPartitions(
  { db, dialect }: Looking,
  schema: string | undefined,
  tables: string[],
): Promise<Finding[]> {
  if (dialect.name !== 'postgres') return []
  const { rows } = await sql<Partition>`
    select p.relname as "table", substring(pg_get_expr(c.relpartbound, c.oid) from 'modulus (\\d+)')::int as modulus
    from pg_partitioned_table as t join pg_class as p on p.oid = t.partrelid
    left join pg_inherits as h on h.inhparent = p.oid and not h.inhdetachpending
    left join pg_class as c on c.oid = h.inhrelid
    where t.partstrat = 'h' and p.relnamespace = (select oid from pg_namespace where nspname = ${schema})
      and p.relname in (${sql.join(tables)})`.execute(db)
  const moduli = new Map<string, number[]>()
  for (const { table, modulus } of rows) {
    moduli.set(table, [...(moduli.get(table) ?? []), ...(modulus === null ? [] : [Number(modulus)])])
  }
  const most = Math.max(0, ...[...moduli.values()].map(({ length }) => length))
  return [...partsGone(moduli), ...(most > 0 ? await roomForLocks(db, most) : [])]
}

/** One of twice the modulus holds half as many merchants. */
function partsGone(moduli: ReadonlyMap<string, number[]>): Finding[] {
  const { problem } = findingsOf('tables')
  const gone = [...moduli].filter(([, all]) => {
    const largest = Math.max(...all)
    return all.reduce((sum, modulus) => sum + largest / modulus, 0) !== largest
  })
  return gone.map(([table]) =>
    problem(
      `The table ${table} lacks a partition: the rows of some merchants are not in it, and it takes none of theirs.`,
      'Attach it again (alter table … attach partition … for values with …), or restore it from a backup.',
    ),
  )
}

async function roomForLocks(db: Kysely<unknown>, partitions: number): Promise<Finding[]> {
  const setting = (name: string) => sql`current_setting(${sql.lit(name)})::int`
  const { rows } = await sql<{ allowed: Whole; sessions: Whole }>`
    select ${setting('max_locks_per_transaction')} as allowed,
      ${setting('max_connections')} + ${setting('max_prepared_transactions')} as sessions`.execute(db)
  const [allowed, sessions] = [Number(rows[0]?.allowed ?? 0), Number(rows[0]?.sessions ?? 1)]
  const wanted = LOCKS_A_PARTITION * partitions * AT_ONCE
  if (allowed * sessions >= wanted) return []
  return [
    findingsOf('locks').warning(
      `The server has room for ${allowed * sessions} locks, and who looks for due webhooks takes about ${LOCKS_A_PARTITION * partitions} in ${partitions} partitions: where there is none left payments are refused too.`,
      `Set max_locks_per_transaction = ${Math.ceil(wanted / sessions)} or more, and restart the server.`,
    ),
  ]
}
