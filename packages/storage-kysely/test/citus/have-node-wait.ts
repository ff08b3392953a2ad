import pg from 'pg'
import { askCitus } from '../engines/citus.ts'

/** Locks the shard of the merchant's payments at its node: who reads them waits as for a node that says nothing. */
export async function haveNodeWait(schema: string, merchantId: string): Promise<() => Promise<void>> {
  const [at] = await askCitus(`select shardid, nodename, nodeport
    from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('"${schema}".tillkit_payments', '${merchantId}')`)
  const url = new URL(process.env.TILLKIT_CITUS_URL ?? '')
  url.host = `${at?.nodename}:${at?.nodeport}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('begin; set local citus.enable_manual_changes_to_shards = on')
  await client.query(`lock table "${schema}".tillkit_payments_${at?.shardid}`)
  return () => client.end()
}
