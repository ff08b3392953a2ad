import { FUNCTIONS } from '../../schema/names.ts'
import { asText } from '../../schema/quoted.ts'
import { ASSERT_AS_MEANT } from './as-meant.ts'
import type { Definition, TableName } from './definition.ts'

/**
 * They read Citus's own tables alone, which are at every node, and by their keys: of a cluster's shards a planner that knows nothing of them
 * would read all.
 */
export const ON_CATALOGS = [
  'plan_cache_mode=force_generic_plan',
  'search_path=pg_catalog, pg_temp',
  'enable_seqscan=off',
]

/**
 * Has a merchant's shard stay what it is until the transaction ends: who splits or moves it waits, and is waited for. Citus takes that
 * lock for each write by itself, and does not look again, once it has it, whether the shard was split while it waited: it writes into
 * what is about to be dropped. Where the shard has been replaced the transaction is to be run again. The lock is the tables' owner's to
 * take, so the function is carried out as by the owner.
 */
export function holdFunction(table: TableName): Definition {
  const payments = asText(table('payments'))
  return {
    name: FUNCTIONS.hold,
    takes: ['the_merchant text'],
    returns: 'void',
    byOwner: true,
    settings: ON_CATALOGS,
    body: `
declare
  shard constant bigint := get_shard_id_for_distribution_column(${payments}, the_merchant);
begin${ASSERT_AS_MEANT}
  -- 5 is ShareLock: of those that write none waits for another.
  perform lock_shard_metadata(5, array[shard]);
  perform from pg_dist_shard where shardid = shard;
  if not found then
    raise serialization_failure using message = 'the shard has been replaced';
  end if;
end`,
  }
}

/** PL/pgSQL that does so: it stands before what is written, since what was read of a shard before may be of another by then. */
export const hold = (table: TableName, merchant: string): string =>
  `perform ${table(FUNCTIONS.hold)}(${merchant});`
