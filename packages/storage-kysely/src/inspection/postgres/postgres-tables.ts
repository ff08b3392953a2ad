import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { HIDES_ROWS, oidsOfTables } from '../../postgres/sessions/row-security.ts'
import { foreignTrigger } from '../foreign-trigger.ts'
import type { Looking } from '../looking.ts'

const ofTables = findingsOf('tables')
const ofRules = findingsOf('rules')
const ofRows = findingsOf('row-security')

interface Found {
  kind: keyof typeof FINDINGS
  table: string
  /** What is laid over the table. */
  name: string
  /** What takes it away. */
  run: string
}

const FINDINGS = {
  unlogged: ({ table, run }: Found) =>
    ofTables.problem(
      `The table ${table} is unlogged: a crash of the server empties it.`,
      `Run (nobody reads or writes it meanwhile): ${run}`,
    ),
  child: ({ table, name, run }: Found) =>
    ofTables.problem(
      `The table ${name} inherits from ${table}: its rows are read with those of ${table}, and no key keeps one from being there twice.`,
      `Run: ${run}`,
    ),
  replicated: ({ table }: Found) =>
    ofTables.warning(
      `A subscription writes into ${table} what another server has: payments that are started here get ids that others have there.`,
      'Let no process write here until the subscription is dropped.',
    ),
  hidden: ({ table, run }: Found) =>
    ofRows.problem(
      `Row-level security applies to this role in ${table}: statements are refused, or what it hides counts as gone.`,
      `Run: ${run}; or give the role bypassrls.`,
    ),
  secured: ({ table }: Found) =>
    ofRows.note(
      `Row-level security is on for ${table}, and hides nothing from this role.`,
      'See that the other roles that Tillkit is run with own the table or have bypassrls.',
    ),
  rule: ({ table, name, run }: Found) =>
    ofRules.problem(
      `The rule ${name} makes other statements of those for ${table}: writes are refused, or do not take place.`,
      `Run: ${run}`,
    ),
  before: (found: Found) => foreignTrigger({ ...found, before: true }),
  after: (found: Found) => foreignTrigger({ ...found, before: false }),
}

/** What others have laid over the tables, so that they hold or show something else than was written. */
export async function postgresTables({ db, schema, tablePrefix }: Looking): Promise<Finding[]> {
  const [tables, hides] = [sql.raw(oidsOfTables({ schema, tablePrefix })), sql.raw(HIDES_ROWS)]
  const { rows } = await sql<Found>`
    with own as (
      select oid, oid::regclass as called, relname, relkind, relpersistence, relrowsecurity from pg_class
      where oid = any(${tables})
    ), inheriting as (
      select p.called as parent, p.relname as of, p.relkind as kind, c.oid, c.oid::regclass as called, c.relname, c.relpersistence
      from own as p join pg_inherits as h on h.inhparent = p.oid join pg_class as c on c.oid = h.inhrelid
    ), holding as (
      select oid, called, relname, relpersistence from own
      union all select oid, called, relname, relpersistence from inheriting where kind = 'p'
    )
    select 'unlogged' as kind, relname as "table", relname as name, format('alter table %s set logged', called) as run
      from holding where relpersistence = 'u'
    union all select 'child', of, relname, format('alter table %s no inherit %s', called, parent)
      from inheriting where kind <> 'p'
    union all select 'replicated', relname, relname, null from own as c
      where relname = ${`${tablePrefix}payments`} and exists (select from pg_subscription_rel as s where s.srrelid = c.oid)
    union all select kind, string_agg(relname, ', ' order by relname), '',
        string_agg(format('alter table %s disable row level security', called), '; ' order by relname)
      from (select case
          when ${hides} or (row_security_active(oid) and current_setting('row_security') = 'off') then 'hidden'
          else 'secured' end as kind, relname, called
        from own as c where relrowsecurity) as secured group by kind
    union all select 'rule', c.relname, r.rulename, format('drop rule %I on %s', r.rulename, c.called)
      from holding as c join pg_rewrite as r on r.ev_class = c.oid
      where r.rulename <> '_RETURN' and r.ev_enabled <> 'D'
    -- Bits of tgtype: 1 of each row, 2 before, 4 on insert, 8 on delete, 16 on update.
    union all select case when t.tgtype & 3 = 3 then 'before' else 'after' end, c.relname, t.tgname, null
      from holding as c join pg_trigger as t on t.tgrelid = c.oid
      where not t.tgisinternal and t.tgparentid = 0 and t.tgenabled <> 'D' and t.tgtype & 28 <> 0
    order by 2, 1, 3`.execute(db)
  return rows.map(found => FINDINGS[found.kind](found))
}
