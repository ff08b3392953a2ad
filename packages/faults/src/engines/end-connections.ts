import type { Address } from './address.ts'
import { openSession } from './session.ts'

/** The connections to this database, but for the one that asks. */
const CONNECTIONS = {
  postgres: `select pid as id from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  mysql: `select id from information_schema.processlist where db = database() and id <> connection_id()`,
}

/** Ends those connections to a database, from the server's side, that `chosen` picks; returns how many were ended. */
export async function endConnections(address: Address, chosen: () => boolean): Promise<number> {
  if (address.engine === 'sqlite') throw new Error('SQLite has no connections')
  const session = await openSession(address)
  let ended = 0
  try {
    for (const { id } of await session.rows(CONNECTIONS[address.engine])) {
      if (!chosen()) continue
      const end = address.engine === 'postgres' ? `select pg_terminate_backend(${id}) as ended` : `kill ${id}`
      // One may be gone by itself meanwhile.
      const [row] = await session.rows(end).catch(() => [{ ended: 'f' }])
      if (row === undefined || row.ended === 't') ended += 1
    }
    return ended
  } finally {
    await session.close()
  }
}
