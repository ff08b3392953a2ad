import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import { isNobody } from './nobody.ts'

/** After how long all of it is asked again, and how long nothing is after an error, in milliseconds: shards are moved from node to node. */
const GOOD_FOR = 60_000
const QUIET_FOR = 5000

/** How many merchants are known at once, and how many are asked for in one statement. */
const [MOST_KNOWN, MOST_ASKED] = [50_000, 1000]

interface Given {
  table: string
  merchantId: string[]
}

/**
 * At which node a merchant's rows are, as far as that is known: who is not known yet is asked for beside, and nobody waits for it. What is
 * sent to a node that has them no longer goes on from there, which takes longer and comes to the same.
 */
export function merchantNodes({
  builder,
  read,
}: Pick<Database, 'builder' | 'read'>): (merchantId: string) => string | undefined {
  const table = sql`${sql.table('merchants')}`.compile(builder).sql
  const find = prepareArrays<Given, [merchantId: string, node: string]>(p => ({
    compile: () =>
      sql`select given.merchant_id, min(placement.groupid)::text as node
        from unnest(${p.merchantId}::text[]) as given (merchant_id) join pg_dist_placement as placement
          on placement.shardid = get_shard_id_for_distribution_column(${p.table}::regclass, given.merchant_id)
        group by given.merchant_id`.compile(builder),
  }))
  const known = new Map<string, string>()
  const wanted = new Set<string>()
  let askedAll = performance.now()
  let quietUntil = 0
  let isAsking = false

  async function ask(): Promise<void> {
    isAsking = true
    try {
      while (wanted.size > 0) {
        const merchantId = [...wanted].slice(0, MOST_ASKED)
        for (const [id, node] of await read.all(find({ table, merchantId }))) known.set(id, node)
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
