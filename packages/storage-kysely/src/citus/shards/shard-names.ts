import { sql } from 'kysely'
import { quoted } from '../../schema/quoted.ts'
import type { Database } from '../../session/database.ts'
import type { Reads } from '../../session/session.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import type { ShardNames } from './shard.ts'

type Row = [shard: number, schema: string, table: string, atShard: string]

/** What tables are called at some shards, by the shards' ids. */
export function shardNames(
  builder: Database['builder'],
  read: Reads,
): (shards: number[]) => Promise<Map<number, ShardNames>> {
  const find = prepareArrays<{ shards: number[] }, Row>(p => ({
    compile: () =>
      sql`select shard.shardid, schema.nspname, relation.relname,
          (select part[cardinality(part)] from parse_ident(shard_name(relation.oid, beside.shardid)) as part)
        from pg_dist_shard as shard
        join pg_dist_partition as laid using (logicalrelid)
        join pg_dist_partition as alike using (colocationid, partmethod)
        join pg_dist_shard as beside on beside.logicalrelid = alike.logicalrelid and beside.shardminvalue = shard.shardminvalue
        join pg_class as relation on relation.oid = alike.logicalrelid
        join pg_namespace as schema on schema.oid = relation.relnamespace
        where shard.shardid = any (${p.shards}::bigint[])
          and schema.oid = (select relnamespace from pg_class where oid = shard.logicalrelid)`.compile(
        builder,
      ),
  }))

  return async shards => {
    const found = new Map<number, { schema: string; tables: Map<string, string> }>()
    for (const [id, schema, table, atShard] of await read.all(find({ shards }))) {
      const names = found.get(Number(id)) ?? { schema: quoted(schema), tables: new Map() }
      found.set(Number(id), names)
      names.tables.set(quoted(schema, table), quoted(schema, atShard))
    }
    return found
  }
}
