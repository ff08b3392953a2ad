import type { Storage } from '@tillkit/storage'
import { sql } from 'kysely'
import type { Connections } from '../../connections/connections.ts'
import type { Database } from '../../session/database.ts'
import type { Reads } from '../../session/session.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { atShards } from '../shards/at-shards.ts'
import { type ClusterNode, IDENTITY } from './cluster-node.ts'
import { DirectNode, type WayToNode } from './direct-node.ts'

/** What is made for a node. */
interface AtNode {
  node: DirectNode
  database: Database
  port: Storage
}

/** How nodes are spoken to. */
export interface NodeWays {
  /** The way to a node; nothing is sent before it is used. */
  reach(node: ClusterNode): WayToNode
  /** By way of the coordinator. */
  coordinator: Connections
  /** Where it is asked which server a node is. */
  watch: Reads
  /** What sends statements there, of merchants at this node. */
  databaseOver(connections: Connections, node: ClusterNode): Database
  portOf(database: Database): Storage
}

/** What makes a merchant's calls straight at the node that has the rows, where it is known and reached. */
export function directNodes(database: Database, ways: NodeWays): (merchantId: string) => AtNode | undefined {
  const { builder, dialect, certainNodeOf, isCertain, shardOf = () => undefined } = database
  const findIdentity = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('merchants')
      .select(sql<string>`${sql.raw(IDENTITY)}`.as('identity'))
      .where('id', '=', p.merchantId),
  )
  const any = prepare(() => builder.selectNoFrom(sql<number>`1`.as('one')))
  const identityOf = async (merchantId: string) =>
    (await ways.watch.first(findIdentity({ merchantId })))?.identity
  const made = new Map<ClusterNode, AtNode>()

  function make(cluster: ClusterNode): AtNode {
    const way = ways.reach(cluster)
    const straight = ways.databaseOver(way.connections, cluster).read
    const proof = {
      identityOf,
      tryOut: () => straight.first(any({})),
      isCertain: () => isCertain?.(cluster) ?? false,
    }
    const connections = atShards(way.connections, dialect, shardOf)
    const node = new DirectNode({ ...way, connections }, ways.coordinator, dialect, proof)
    const database = { ...ways.databaseOver(node.connections, cluster), usesShards: true }
    const at = { node, database, port: ways.portOf(database) }
    made.set(cluster, at)
    return at
  }

  return merchantId => {
    const cluster = certainNodeOf?.(merchantId)
    if (!cluster?.answers) return undefined
    const at = made.get(cluster) ?? make(cluster)
    return at.node.isProven(merchantId) ? at : undefined
  }
}
