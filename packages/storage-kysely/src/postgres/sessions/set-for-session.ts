import { errorCode } from '../../dialects/error-code.ts'
import { isSet } from '../../schema/is-set.ts'
import type { PgConnection } from '../pools/pg-connections.ts'
import { ENDS_WITH_CLIENT, type Settings } from './session-settings.ts'

/**
 * Makes settings for a session and resolves to true; or to false, and sets nothing, where the session is not the one that this client
 * was told of when it connected: a pooler stands between, and the next transaction may have another session.
 *
 * @param ifKnown - what is set only where the server knows it.
 */
export async function setForSession(
  session: PgConnection,
  settings: Settings,
  ifKnown: Settings = {},
): Promise<boolean> {
  const isOwn = session.processId === undefined ? 'true' : `pg_backend_pid() = ${session.processId}`
  const made = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', not own)`)
  for (const [name, value] of Object.entries(ifKnown))
    made.push(`(select set_config(name, '${value}', not own) from pg_settings where name = '${name}')`)
  const text = `select own, ${made.join(', ')} from (select ${isOwn} as own) as session`
  const { rows } = await session.query(text, [])
  return isSet((rows[0] as { own: unknown }).own)
}

/** invalid_parameter_value: a server whose system does not tell it of a client that has gone (Windows, say) can have no such setting. */
const CANNOT_BE = '22023'

/** The same, with an end for what the session is still at when its client has gone, where the server knows one. */
export async function setWithEnd(session: PgConnection, settings: Settings): Promise<boolean> {
  try {
    return await setForSession(session, { ...settings, ...ENDS_WITH_CLIENT })
  } catch (error) {
    if (errorCode(error) !== CANNOT_BE) throw error
    return setForSession(session, settings)
  }
}
