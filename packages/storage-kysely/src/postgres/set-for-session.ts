import type { PgConnection } from './pg-connections.ts'
import type { Settings } from './session-settings.ts'

/**
 * Makes settings for a session and resolves to true; or to false, and sets nothing, where the session is not the one that this client
 * was told of when it connected: a pooler stands between, and the next transaction may have another session.
 */
export async function setForSession(session: PgConnection, settings: Settings): Promise<boolean> {
  const isOwn = session.processId === undefined ? 'true' : `pg_backend_pid() = ${session.processId}`
  const made = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', not own)`)
  const text = `select own, ${made.join(', ')} from (select ${isOwn} as own) as session`
  const { rows } = await session.query(text, [])
  return (rows[0] as { own: boolean }).own
}
