import { connectTo, placeOf } from '../place-of.ts'

/** Locks the shard of the merchant's payments at its node: who reads them waits as for a node that says nothing. */
export async function haveNodeWait(schema: string, merchantId: string): Promise<() => Promise<void>> {
  const { shard, ...node } = await placeOf(schema, merchantId)
  const client = await connectTo(process.env.TILLKIT_CITUS_URL ?? '', node)
  await client.query('begin; set local citus.enable_manual_changes_to_shards = on')
  await client.query(`lock table "${schema}".tillkit_payments_${shard}`)
  return () => client.end()
}
