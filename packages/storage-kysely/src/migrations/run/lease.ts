import { type Kysely, sql } from 'kysely'
import { findColumns } from '../tables/find-columns.ts'
import { placed, type Run } from './run.ts'

const ID = sql.lit('indexes')

/**
 * For how many seconds nobody else begins to change an index. Whoever changes one has it renewed meanwhile; a change whose process
 * is gone is seen at its session, however long it takes.
 */
const SECONDS = 15

/** After how many milliseconds it is renewed. */
const RENEWED_EVERY = 5000

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

/** A lease that is had. */
export interface Lease {
  /** Has it for as long again; false where it ran out and another has it. */
  renew(on: Kysely<unknown>): Promise<boolean>
  /** The same, where that is due. */
  keep(on: Kysely<unknown>): Promise<void>
  giveBack(on: Kysely<unknown>): Promise<void>
}

/**
 * Takes the lease, by a statement of its own: a lock of a transaction would keep that open, and one of a session would be
 * left in another's by a pooler. Undefined where another has it. One that ends further ahead than any is had for is of before the
 * server's clock was set back, and over: nobody knows when it would have ended.
 */
export async function takeLease(db: Kysely<unknown>, run: Run): Promise<Lease | undefined> {
  const { rows } = await sql<{
    until: string
  }>`insert into ${table(run)} as l (id, leased_until) values (${ID}, ${LATER})
    on conflict (id) do update set leased_until = excluded.leased_until
      where l.leased_until not between clock_timestamp() and ${at(2 * SECONDS)}
    returning ${UNTIL} as until`.execute(db)
  return rows[0] && leaseUntil(rows[0].until, run)
}

const at = (seconds: number) => sql`clock_timestamp() + ${sql.lit(seconds)} * interval '1 second'`
const LATER = at(SECONDS)
const UNTIL = sql`extract(epoch from leased_until)::text`

function leaseUntil(first: string, run: Run): Lease {
  let until = first
  let since = performance.now()
  let over = false
  const change = async (on: Kysely<unknown>, to: typeof LATER) => {
    const { rows } = await sql<{ until: string }>`update ${table(run)} set leased_until = ${to}
      where id = ${ID} and ${UNTIL} = ${sql.lit(until)} returning ${UNTIL} as until`.execute(on)
    until = rows[0]?.until ?? until
    return rows.length > 0
  }
  const giveBack = async (on: Kysely<unknown>) => {
    over = true
    await change(on, sql`'-infinity'`)
  }
  const renew = async (on: Kysely<unknown>) => {
    since = performance.now()
    const had = await change(on, LATER)
    // It was given back meanwhile, by what it was until then.
    if (over) await giveBack(on)
    return had
  }
  const keep = async (on: Kysely<unknown>) => {
    if (!over && performance.now() - since > RENEWED_EVERY) await renew(on)
  }
  return { renew, keep, giveBack }
}
