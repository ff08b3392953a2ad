import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'
import { withMerchant } from './with-merchant.ts'

/** Payments by their keys, of merchants that are at one node, `the_merchant` being the first of them. */
export function findFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.find,
    takes: ['the_merchant text', 'the_merchants text[]', 'the_ids bigint[]'],
    returns: `setof ${table('payments')}`,
    body: `
begin
  for n in 1..array_length(the_ids, 1) loop
    return query execute ${withMerchant(
      'the_merchants[n]',
      merchant => `select p.* from ${table('payments')} as p where p.merchant_id = ${merchant} and p.id = $1`,
    )} using the_ids[n];
  end loop;
end`,
  }
}
