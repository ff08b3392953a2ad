import { CompiledQuery } from 'kysely'
import type { Followed, Place } from '../replicas/lag.ts'
import type { Asked } from '../replicas/with-replica.ts'

/** What a database has in common with its copies at other servers, and with no other. */
const DATABASE = `(select system_identifier from pg_control_system()),
  (select oid from pg_database where datname = current_database())`

const PLACE = CompiledQuery.raw(`select pg_current_wal_flush_lsn()::text as position,
  concat_ws('/', ${DATABASE}, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int) as log`)

/**
 * The timeline that a replica is sure to follow: one on which it has read, or, where the role may see that, one that it has
 * found to go on from what it has read.
 */
const TIMELINE = `greatest((select min_recovery_end_timeline from pg_control_recovery()),
  (select received_tli from pg_stat_wal_receiver))`

const REACHED = `select pg_is_in_recovery() as follows, concat_ws('/', ${DATABASE}, ${TIMELINE}) as log,
  pg_last_wal_replay_lsn() >= $1::text::pg_lsn as reached, pg_last_wal_replay_lsn()::text as replayed`

const WRITTEN = 'select pg_current_wal_flush_lsn() >= $1::text::pg_lsn as written'

/** How PostgreSQL tells how far a replica has come. One that was promoted follows nobody. */
export function follow(primary: Asked, replica: Asked): Followed {
  /** True as well where it cannot be asked. */
  const hasWritten = async (replayed: string | null) => {
    const query = CompiledQuery.raw(WRITTEN, [replayed]) as CompiledQuery<{ written: boolean }>
    const found = await primary.read.first(query).catch(() => undefined)
    return found?.written !== false
  }
  return {
    async place() {
      if (primary.schema === undefined && !primary.anywhere)
        throw new Error('it is not known yet which tables to read')
      const place = await primary.read.first(PLACE as CompiledQuery<Place>)
      if (!place) throw new Error('the server did not say how far its log has come')
      return place
    },
    async hasReached({ log, position }) {
      const query = CompiledQuery.raw(REACHED, [position])
      const found = await replica.read.first(query as CompiledQuery<Found>)
      if (!found?.follows || found.log !== log) throw new Error('the replica follows another server')
      // One that was put back to an earlier moment, by a copy of its disk, is on the same timeline.
      if (found.reached && found.replayed !== position && !(await hasWritten(found.replayed)))
        throw new Error('the replica has more than the server that it follows')
      return found.reached === true
    },
  }
}

interface Found {
  follows: boolean
  log: string
  reached: boolean | null
  replayed: string | null
}
