import type { Followed } from '../replicas/lag.ts'
import { valueAsked } from '../replicas/with-replica.ts'
import type { Session } from '../session/session.ts'

/** How PostgreSQL tells how far a replica has come. One that was promoted follows nobody. */
export function follow(primary: Session, replica: Session): Followed {
  return {
    position: async () => `${await valueAsked(primary, 'select pg_current_wal_flush_lsn()::text as value')}`,
    async hasReached(position) {
      const reached = 'pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn'
      return (await valueAsked(replica, `select ${reached} as value`, [position])) === true
    },
  }
}
