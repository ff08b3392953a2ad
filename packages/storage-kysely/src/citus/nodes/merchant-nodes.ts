import { sql } from 'kysely'
import { isSet } from '../../schema/is-set.ts'
import type { Flag } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import type { Reads } from '../../session/session.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { isNobody } from '../nobody.ts'
import type { Shard } from '../shards/shard.ts'
import { shardNames } from '../shards/shard-names.ts'
import type { ClusterNode } from './cluster-node.ts'

/**
 * In milliseconds: how often the coordinator is asked whether shards or nodes have gone elsewhere, how long what it said is certain,
 * and how long nothing is asked after an error.
 */
const [LOOK_EVERY, CERTAIN_FOR, QUIET_FOR] = [1000, 3000, 5000]

/** How many merchants are known at once, and how many are asked for in one statement. */
const [MOST_KNOWN, MOST_ASKED] = [50_000, 1000]

interface Given {
  table: string
  merchantId: string[]
}

type Found = [merchantId: string, host: string, port: number, answers: Flag, shard: number, group: number]

/** Where a merchant's rows are. */
interface Place {
  node: ClusterNode
  shard: Shard
}

/** In SQL, and as `nodeAt` names a node. */
const ANSWERS = 'node.groupid <> 0 and node.hasmetadata and node.metadatasynced'
const NAME = `concat_ws(' ', node.nodename, node.nodeport, (${ANSWERS})::text)`

/** At which node a merchant's rows are. */
export interface MerchantNodes {
  /** As far as that is known: by way of the coordinator what is out of date takes longer and comes to the same. */
  nodeOf(merchantId: string): ClusterNode | undefined
  /**
   * Where the coordinator has just said so. A node that was taken out of the cluster is told no more where rows go, and would
   * look for them where they have been.
   */
  certainNodeOf(merchantId: string): ClusterNode | undefined
  /** Whether the coordinator has just said that the node is one of the cluster's, which is told where rows go. */
  isCertain(node: ClusterNode): boolean
  /** In which shard they are, where that is known and what its tables are called. */
  shardOf(merchantId: string): Shard | undefined
}

/** Who is not known yet is asked for beside, and nobody waits for it. */
export function merchantNodes(builder: Database['builder'], read: Reads): MerchantNodes {
  const table = sql`${sql.table('merchants')}`.compile(builder).sql
  const find = prepareArrays<Given, Found>(p => ({
    compile: () =>
      sql`select distinct on (given.merchant_id) given.merchant_id, node.nodename, node.nodeport, ${sql.raw(ANSWERS)},
          placement.shardid, node.groupid
        from unnest(${p.merchantId}::text[]) as given (merchant_id)
        join pg_dist_placement as placement
          on placement.shardid = get_shard_id_for_distribution_column(${p.table}::regclass, given.merchant_id)
        join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
        order by given.merchant_id, node.groupid`.compile(builder),
  }))
  const layout = prepareArrays<Pick<Given, 'table'>, [layout: string, names: string]>(p => ({
    compile: () =>
      sql`select hashtextextended(concat(
          (select string_agg(concat(shardid, ' ', groupid), ',' order by shardid, groupid)
            from pg_dist_placement join pg_dist_shard using (shardid) where logicalrelid = ${p.table}::regclass),
          (select string_agg(node::text, ',' order by nodeid) from pg_dist_node as node)), 0)::text,
          (select string_agg(${sql.raw(NAME)}, ',') from pg_dist_node as node)`.compile(builder),
  }))
  const findNames = shardNames(builder, read)
  const nodes = new Map<string, ClusterNode>()
  const known = new Map<string, Place>()
  const shards = new Map<number, Shard>()
  const wanted = new Set<string>()
  let members: ReadonlySet<string> = new Set()
  let quietUntil = 0
  let isAsking = false
  let seen: string | undefined
  let seenAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  const nameOf = ({ host, port, answers }: ClusterNode) => `${host} ${port} ${answers}`

  function nodeAt(host: string, port: number, answers: boolean): ClusterNode {
    const name = nameOf({ host, port, answers })
    const node = nodes.get(name) ?? { host, port, answers }
    nodes.set(name, node)
    return node
  }

  function shardAt(id: number, group: number): Shard {
    const shard = shards.get(id) ?? { id, group }
    shards.set(id, shard)
    return shard
  }

  async function nameTables(): Promise<void> {
    const unnamed = [...shards.values()].filter(({ names }) => !names).map(({ id }) => id)
    if (unnamed.length === 0) return
    for (const [id, names] of await findNames(unnamed)) {
      const shard = shards.get(id)
      if (shard) shard.names = names
    }
  }

  async function ask(): Promise<void> {
    isAsking = true
    try {
      while (wanted.size > 0) {
        const merchantId = [...wanted].slice(0, MOST_ASKED)
        const before = seen
        const found = await read.all(find({ table, merchantId }))
        // It may be of the time before.
        if (seen !== before) continue
        for (const [id, host, port, answers, shard, group] of found) {
          known.set(id, {
            node: nodeAt(host, port, isSet(answers)),
            shard: shardAt(Number(shard), Number(group)),
          })
        }
        for (const id of merchantId) wanted.delete(id)
        await nameTables()
      }
    } catch {
      // Each goes by itself meanwhile.
      wanted.clear()
      quietUntil = performance.now() + QUIET_FOR
    } finally {
      isAsking = false
    }
  }

  async function look(): Promise<void> {
    isLooking = true
    const began = performance.now()
    try {
      const [now, names = ''] = (await read.first(layout({ table }))) ?? []
      if (now !== seen) {
        known.clear()
        shards.clear()
        members = new Set(names.split(','))
      }
      seen = now
      seenAt = began
    } catch {
      quietUntil = performance.now() + QUIET_FOR
    } finally {
      isLooking = false
    }
  }

  function nodeOf(merchantId: string): ClusterNode | undefined {
    const now = performance.now()
    if (known.size >= MOST_KNOWN) known.clear()
    const mayAsk = now >= quietUntil
    if (mayAsk && !isLooking && now - seenAt >= LOOK_EVERY) void look()
    const node = known.get(merchantId)?.node
    if (node === undefined && mayAsk && !isNobody(merchantId)) {
      wanted.add(merchantId)
      if (!isAsking) void ask()
    }
    return node
  }

  const isCertain = (node: ClusterNode) =>
    performance.now() - seenAt <= CERTAIN_FOR && members.has(nameOf(node))

  return {
    nodeOf,
    isCertain,
    shardOf: merchantId => known.get(merchantId)?.shard,
    certainNodeOf(merchantId) {
      const node = nodeOf(merchantId)
      return node && isCertain(node) ? node : undefined
    },
  }
}
