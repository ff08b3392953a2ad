import { type Kysely, sql } from 'kysely'
import { findColumns } from '../tables/find-columns.ts'
import { placed, type Run } from './run.ts'

const ID = sql.lit('indexes')

/**
 * For how many seconds nobody else begins to change an index. A change that has begun is seen at its locks, however
 * long it takes, and its process may be gone by then.
 */
const SECONDS = 15

const table = (run: Run) => placed(run, run.named('migrations_lock'))

/** Makes the table of leases, or gives that of earlier versions the column. */
export async function makeLeases(trx: Kysely<unknown>, run: Run): Promise<void> {
  const name = run.named('migrations_lock')
  const columns = (await findColumns(trx, run.dialect, run.schema, [name])).get(name) ?? []
  if (columns.length === 0) {
    await sql`create table ${table(run)} (id varchar(255) not null primary key,
      is_locked integer not null default 0, leased_until timestamptz)`.execute(trx)
  } else if (!columns.includes('leased_until')) {
    await sql`alter table ${table(run)} add column leased_until timestamptz`.execute(trx)
  }
}

/**
 * Takes the lease, by a statement of its own: a lock of a transaction would keep that open, and one of a session would be
 * left in another's by a pooler. Undefined where another has it; else what gives it back.
 */
export async function takeLease(
  db: Kysely<unknown>,
  run: Run,
): Promise<(() => Promise<unknown>) | undefined> {
  const { rows } = await sql<{ until: string }>`
    insert into ${table(run)} as l (id, leased_until)
    values (${ID}, clock_timestamp() + ${sql.lit(SECONDS)} * interval '1 second')
    on conflict (id) do update set leased_until = excluded.leased_until where l.leased_until < clock_timestamp()
    returning extract(epoch from leased_until)::text as until`.execute(db)
  const [lease] = rows
  return (
    lease &&
    (() =>
      sql`update ${table(run)} set leased_until = '-infinity'
        where id = ${ID} and extract(epoch from leased_until)::text = ${sql.lit(lease.until)}`.execute(db))
  )
}
