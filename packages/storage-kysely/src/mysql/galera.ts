import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'

/** Whether the server is a node of a Galera cluster; MySQL, and a MariaDB that was made without it, do not know the setting. */
export async function isOfGalera(session: { query(sql: string): Promise<unknown> }): Promise<boolean> {
  const [setting] = (await session.query(`show variables like 'wsrep_on'`)) as { Value?: unknown }[]
  return setting?.Value === 'ON'
}

/**
 * Rolls back at a node that is cut off from its cluster: it refuses even that (1047) of a session that has not said that what it reads may be old.
 * It keeps the transaction, and what begins at the connection once the node is back would commit it.
 */
export async function rollBackCutOff(execute: Execute): Promise<void> {
  await execute(CompiledQuery.raw('set session wsrep_dirty_reads = on'))
  try {
    await execute(CompiledQuery.raw('rollback'))
  } finally {
    await execute(CompiledQuery.raw('set session wsrep_dirty_reads = default'))
  }
}
