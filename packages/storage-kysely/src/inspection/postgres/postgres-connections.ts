import type { Finding } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Whole } from '../../schema/rows/payment-row.ts'
import { connectionsLeft } from '../connections-left.ts'
import type { Looking } from '../looking.ts'

/** Set against the pool: what the server allows, and what is in use now. */
export async function postgresConnections(
  { db, poolSize }: Looking,
  { max_connections, superuser_reserved_connections }: Record<string, string>,
): Promise<Finding[]> {
  const { rows } = await sql<{ used: Whole }>`
    select count(*)::int as used from pg_stat_activity where backend_type = 'client backend'`.execute(db)
  const allowed = Number(max_connections) - Number(superuser_reserved_connections ?? 0)
  return connectionsLeft({
    allowed,
    used: Number(rows[0]?.used ?? 0),
    pool: poolSize(),
    setting: 'max_connections',
  })
}
