import { FUNCTIONS } from '../../schema/names.ts'
import { asText } from '../../schema/quoted.ts'
import type { Tables } from '../../schema/tables.ts'
import { ASSERT_AS_MEANT } from './as-meant.ts'
import type { Definition, TableName } from './definition.ts'
import { ON_CATALOGS } from './hold.ts'

/**
 * Holds the shards of several merchants, as `hold` does one's, and says what the tables are called that have each one's rows, one merchant
 * after another: the shards' own names, where this node has all of them. To PostgreSQL those are tables like any, and their statements are planned
 * in less than half the time. Citus knows nothing of what is written to them, so they are for a function whose call is a whole transaction.
 */
export function holdAllFunction(table: TableName): Definition {
  const payments = asText(table('payments'))
  return {
    name: FUNCTIONS.holdAll,
    takes: ['the_merchants text[]', 'the_tables regclass[]'],
    returns: 'text[]',
    byOwner: true,
    settings: ON_CATALOGS,
    body: `
declare
  home constant text := (select relnamespace::regnamespace from pg_class where oid = ${payments}::regclass) || '.';
  here constant int := (select groupid from pg_dist_local_group);
  shards bigint[];
  fewest int;
  at_shards boolean;
begin${ASSERT_AS_MEANT}
  select array_agg(get_shard_id_for_distribution_column(${payments}, merchant)) into shards
    from unnest(the_merchants) as merchant;
  perform lock_shard_metadata(5, shards);
  select min(placed), bool_and(placed = 1 and place = here) into fewest, at_shards
    from unnest(shards) as shard, lateral (
      select count(*) as placed, min(groupid) as place from pg_dist_placement where shardid = shard
    ) as placement;
  if fewest = 0 then
    raise serialization_failure using message = 'the shard has been replaced';
  end if;
  return (
    -- With this search path a table is written with its schema; the public one is left out by Citus.
    select array_agg(case when starts_with(name, home) then name else home || name end order by nth, place)
    from unnest(the_merchants) with ordinality as of_merchant (merchant, nth),
      unnest(the_tables) with ordinality as of_table (whole, place),
      lateral (
        select case when at_shards then shard_name(whole, get_shard_id_for_distribution_column(whole, merchant)) else whole::text end
      ) as named (name)
  );
end`,
  }
}

/** PL/pgSQL for a function that is for the merchants of `the_merchants`, of whom each is `one`, the `nth` of them. */
export function atTablesOf<Name extends keyof Tables>(table: TableName, names: Name[]) {
  const wholes = names.map(name => asText(table(name))).join(', ')
  return {
    /** It has the shards stay what they are. Where one of several is not to be had, none is written to. */
    hold: `
  begin
    tables := ${table(FUNCTIONS.holdAll)}(the_merchants, array[${wholes}]::regclass[]);
  exception when lock_not_available then
    if many = 1 then
      raise;
    end if;
    return;
  end;`,
    /** A table, within a statement as `withMerchant` has them. */
    at: (name: Name) =>
      `$sql$ || tables[(one.nth - 1) * ${names.length} + ${names.indexOf(name) + 1}] || $sql$`,
  }
}
