import { sql } from 'kysely'
import type { Database } from '../../session/database.ts'
import { prepareArrays } from '../../session/prepared.ts'
import { isNobody } from '../nobody.ts'
import type { ClusterNode } from './cluster-node.ts'

/** After how long all of it is asked again, and how long nothing is after an error, in milliseconds: shards are moved from node to node. */
const GOOD_FOR = 60_000
const QUIET_FOR = 5000

/** How many merchants are known at once, and how many are asked for in one statement. */
const [MOST_KNOWN, MOST_ASKED] = [50_000, 1000]

interface Given {
  table: string
  merchantId: string[]
}

type Found = [merchantId: string, host: string, port: number, answers: boolean]

/**
 * At which node a merchant's rows are, as far as that is known: who is not known yet is asked for beside, and nobody waits for it. What is
 * sent to a node that has them no longer goes on from there, which takes longer and comes to the same.
 */
export function merchantNodes({
  builder,
  read,
}: Pick<Database, 'builder' | 'read'>): (merchantId: string) => ClusterNode | undefined {
  const table = sql`${sql.table('merchants')}`.compile(builder).sql
  const find = prepareArrays<Given, Found>(p => ({
    compile: () =>
      sql`select distinct on (given.merchant_id) given.merchant_id, node.nodename, node.nodeport,
          node.groupid <> 0 and node.hasmetadata and node.metadatasynced
        from unnest(${p.merchantId}::text[]) as given (merchant_id)
        join pg_dist_placement as placement
          on placement.shardid = get_shard_id_for_distribution_column(${p.table}::regclass, given.merchant_id)
        join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
        order by given.merchant_id, node.groupid`.compile(builder),
  }))
  const nodes = new Map<string, ClusterNode>()
  const known = new Map<string, ClusterNode>()
  const wanted = new Set<string>()
  let askedAll = performance.now()
  let quietUntil = 0
  let isAsking = false

  function nodeAt(host: string, port: number, answers: boolean): ClusterNode {
    const name = `${host} ${port} ${answers}`
    const node = nodes.get(name) ?? { host, port, answers }
    nodes.set(name, node)
    return node
  }

  async function ask(): Promise<void> {
    isAsking = true
    try {
      while (wanted.size > 0) {
        const merchantId = [...wanted].slice(0, MOST_ASKED)
        for (const [id, ...where] of await read.all(find({ table, merchantId })))
          known.set(id, nodeAt(...where))
        for (const id of merchantId) wanted.delete(id)
      }
    } catch {
      // Each goes by itself meanwhile.
      wanted.clear()
      quietUntil = performance.now() + QUIET_FOR
    } finally {
      isAsking = false
    }
  }

  return merchantId => {
    const now = performance.now()
    if (known.size >= MOST_KNOWN || now - askedAll > GOOD_FOR) {
      known.clear()
      askedAll = now
    }
    const node = known.get(merchantId)
    if (node === undefined && now >= quietUntil && !isNobody(merchantId)) {
      wanted.add(merchantId)
      if (!isAsking) void ask()
    }
    return node
  }
}
