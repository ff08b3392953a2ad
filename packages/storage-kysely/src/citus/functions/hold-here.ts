import { FUNCTIONS } from '../../schema/names.ts'
import { SEES_THE_PAST } from './as-meant.ts'
import { BRIEF_LOCK_WAIT, type Definition } from './definition.ts'
import { ON_CATALOGS } from './hold.ts'

/**
 * Holds a shard, as `hold` does a merchant's, and says whether this node, whose group is given, is where its rows are, and no other; not so
 * in a transaction that would not see it gone. It is for a statement of the shard's own tables, which would write to what is left of them
 * where they were. That has locked those by then, which is not the order in which whoever moves the shard locks them: so it waits but briefly.
 */
export function holdHereFunction(): Definition {
  return {
    name: FUNCTIONS.holdHere,
    takes: ['the_shard bigint', 'the_group integer'],
    returns: 'boolean',
    byOwner: true,
    settings: [...ON_CATALOGS, BRIEF_LOCK_WAIT],
    body: `
declare
  placed int;
  place int;
begin
  perform lock_shard_metadata(5, array[the_shard]);
  select count(*), min(groupid) into placed, place from pg_dist_placement where shardid = the_shard;
  return placed = 1 and place = the_group and not ${SEES_THE_PAST};
end`,
  }
}
