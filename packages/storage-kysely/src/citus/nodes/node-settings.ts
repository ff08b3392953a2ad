import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import { AT_NODES } from '../../postgres/sessions/session-check.ts'

/**
 * Throws `DatabaseError` where sessions of a node have what they must not, by its own files. What is set there later each node finds out by
 * itself, when it is to write payments or what comes of them: see `ASSERT_AS_MEANT`. One that cannot be asked now has nothing laid out on it either.
 */
export async function assertNodesAsMeant(trx: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ node: string; found: string }>`
    select concat(nodename, ':', nodeport) as node, result as found
    from run_command_on_all_nodes(${AT_NODES}) as asked join pg_dist_node using (nodeid)
    where success and result <> '' order by nodeid`.execute(trx)
  const [first] = rows
  if (!first) return
  throw new DatabaseError(
    `with ${first.found} the node ${first.node} of the cluster may write or answer something else than was meant, or where a shard was before: set it to what it is by itself there`,
  )
}
