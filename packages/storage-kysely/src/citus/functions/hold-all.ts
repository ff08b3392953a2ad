import { FUNCTIONS } from '../../schema/names.ts'
import { asText } from '../../schema/quoted.ts'
import type { Tables } from '../../schema/tables.ts'
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
  shard bigint;
  placed int;
  place int;
  at_shards boolean := true;
  merchant text;
  whole regclass;
  name text;
  names text[];
begin
  foreach merchant in array the_merchants loop
    shards := shards || get_shard_id_for_distribution_column(${payments}, merchant);
  end loop;
  perform lock_shard_metadata(5, shards);
  foreach shard in array shards loop
    select count(*), min(groupid) into placed, place
      from pg_dist_shard join pg_dist_placement using (shardid) where shardid = shard;
    if placed = 0 then
      raise serialization_failure using message = 'the shard has been replaced';
    end if;
    at_shards := at_shards and placed = 1 and place = here;
  end loop;
  foreach merchant in array the_merchants loop
    foreach whole in array the_tables loop
      -- With this search path a table is written with its schema; the public one is left out by Citus.
      name := case when at_shards then shard_name(whole, get_shard_id_for_distribution_column(whole, merchant)) else whole::text end;
      names := names || case when starts_with(name, home) then name else home || name end;
    end loop;
  end loop;
  return names;
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
