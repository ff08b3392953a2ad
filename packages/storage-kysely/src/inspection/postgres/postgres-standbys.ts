import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Whole } from '../../schema/rows/payment-row.ts'
import type { Looking } from '../looking.ts'

/** Whether commits wait for standbys, and whether there are more of those than they wait for. */
export async function postgresStandbys(
  { db }: Looking,
  { synchronous_standby_names = '', synchronous_commit }: Record<string, string>,
): Promise<Finding[]> {
  if (synchronous_standby_names === '' || synchronous_commit === 'off' || synchronous_commit === 'local')
    return []
  const { ok, note, warning, problem } = findingsOf('standbys')
  const { rows } = await sql<{ candidates: Whole; unseen: Whole }>`
    select count(*) filter (
        where sync_state in ('sync', 'quorum', 'potential') and state in ('streaming', 'stopping'))::int as candidates,
      count(*) filter (where sync_state is null)::int as unseen
    from pg_stat_replication`.execute(db)
  const [candidates, unseen] = [Number(rows[0]?.candidates ?? 0), Number(rows[0]?.unseen ?? 0)]
  const awaited = awaitedOf(synchronous_standby_names)
  if (unseen > 0) {
    return [note('Commits wait for standbys; this role may not see how many there are (pg_read_all_stats).')]
  }
  const says = `Commits wait for ${awaited} of the standbys in synchronous_standby_names, ${candidates} of which follow`
  if (candidates < awaited) {
    const advice =
      'Bring a standby back, or change synchronous_standby_names and reload: sessions that wait stay until then.'
    return [problem(`${says}: no write ends.`, advice)]
  }
  if (candidates === awaited) {
    const advice =
      'Have one more than commits wait for, as by ANY 1 (one, two), and let the role have fewer connections than the server.'
    return [warning(`${says}: when one is lost no write ends.`, advice)]
  }
  return [ok(`${says}.`)]
}

/** For how many a commit waits: the number in `FIRST 2 (…)`, `ANY 1 (…)` or `2 (…)`; one of a list. */
function awaitedOf(names: string): number {
  const [, number = '1'] = /^\s*(?:(?:any|first)\s+)?(\d+)\s*\(/i.exec(names) ?? []
  return Number(number)
}
