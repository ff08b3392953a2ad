import { CompiledQuery } from 'kysely'
import { type ClusterNode, IDENTITY } from '../../citus/nodes/cluster-node.ts'
import type { WayToNode } from '../../citus/nodes/direct-node.ts'
import { PLANS_AT_SHARDS } from '../../citus/shards/at-shards.ts'
import type { Connections, Execute } from '../../connections/connections.ts'
import type { PoolName } from '../../connections/pools/pool-figures.ts'
import { serversOf } from '../servers.ts'

/** How many statements a session of a node keeps beside those of shards. */
const OTHERS = 72

/** What a pool at a node's address is given. */
export interface NodePool {
  pool: PoolName
  /** How many prepared statements its sessions keep. */
  statements: number
  /** Refuses a session of another server than is expected. */
  checkServer(execute: Execute): Promise<void>
}

/** A pool at an address. */
interface Pooled {
  connections: Connections
  /** Has the sessions that there are checked once more. */
  prepareAnew(): void
  close(): Promise<void>
}

const ASK = CompiledQuery.raw(`select ${IDENTITY} as identity`) as CompiledQuery<{ identity: string }>

/** The nodes of a cluster, each at the address that the coordinator has for it, with all else as in the coordinator's. */
export function waysToNodes(
  coordinator: string,
  open: (address: string, parts: NodePool) => Pooled,
): { reach(node: ClusterNode): WayToNode; close(): Promise<void> } {
  const opened: Pooled[] = []

  function reach({ host, port }: ClusterNode): WayToNode {
    let expected: string | undefined
    const pooled = open(addressOf(coordinator, host, port), {
      pool: `tillkit node ${host}:${port}`,
      statements: PLANS_AT_SHARDS + OTHERS,
      async checkServer(execute) {
        const [found] = (await execute(ASK)).rows
        if (found?.identity !== expected) throw isAnother(host, port)
      },
    })
    opened.push(pooled)
    return {
      connections: pooled.connections,
      expect(identity) {
        if (identity === expected) return
        expected = identity
        pooled.prepareAnew()
      },
    }
  }

  return {
    reach,
    close: async () => void (await Promise.all(opened.map(pooled => pooled.close()))),
  }
}

function addressOf(coordinator: string, host: string, port: number): string {
  const url = new URL(serversOf(coordinator).addresses[0])
  url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`
  for (const part of ['host', 'hostaddr', 'port']) url.searchParams.delete(part)
  return url.href
}

/** As a server says it that cannot be connected to yet. */
function isAnother(host: string, port: number): Error {
  const words = `another server than the node of the cluster answers at ${host}:${port}`
  return Object.assign(new Error(words), { code: '57P03', severity: 'FATAL' })
}
