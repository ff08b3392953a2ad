import pg from 'pg'
import { askCitus } from '../engines/citus.ts'

/** A node, as its address has it. */
interface Node {
  host: string
  port: number
}

/** In which shard a merchant's payments are, and at which node. */
export async function placeOf(schema: string, merchantId: string): Promise<Node & { shard: number }> {
  const [place] = await askCitus(
    `select shardid::int as shard, nodename as host, nodeport::int as port
     from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('"${schema}".tillkit_payments', '${merchantId}')`,
  )
  return place as unknown as Node & { shard: number }
}

/** A worker at another port. */
export async function otherThan(port: number): Promise<Node> {
  const [node] = await askCitus(
    `select nodename as host, nodeport::int as port from pg_dist_node
     where noderole = 'primary' and groupid <> 0 and nodeport <> ${port} limit 1`,
  )
  return node as unknown as Node
}

/** The statement that has another worker have a merchant's shard, and the port of that worker. */
export async function moveOf(schema: string, merchantId: string): Promise<{ statement: string; to: number }> {
  const { shard, host, port } = await placeOf(schema, merchantId)
  const to = await otherThan(port)
  const statement = `select citus_move_shard_placement(${shard}, '${host}', ${port}, '${to.host}', ${to.port},
    shard_transfer_mode => 'block_writes')`
  return { statement, to: to.port }
}

/** A session at a node, with all else as in the coordinator's address; at the coordinator where none is named. */
export async function connectTo(
  connectionString: string,
  { host, port }: Partial<Node> = {},
): Promise<pg.Client> {
  const url = new URL(connectionString)
  if (host !== undefined) url.hostname = host
  if (port !== undefined) url.port = `${port}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return client
}
