import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'

/** Payments by their keys, of merchants that are at one node, `the_merchant` being the first of them. */
export function findFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.find,
    takes: ['the_merchant text', 'the_merchants text[]', 'the_ids bigint[]'],
    returns: `setof ${table('payments')}`,
    body: `
declare
  owner text;
  payment_id bigint;
begin
  for n in 1..array_length(the_ids, 1) loop
    owner := the_merchants[n];
    payment_id := the_ids[n];
    return query select p.* from ${table('payments')} as p where p.merchant_id = owner and p.id = payment_id;
  end loop;
end`,
  }
}
