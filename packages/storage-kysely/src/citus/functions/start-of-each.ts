import { OWN_NAMES, OWN_TYPED } from '../../group-commit/start-all-in-one-statement.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'

/**
 * Records a payment of each of several merchants that are at one node, `the_merchant` being the first of them. Passed by are those whose
 * merchant's lock another has, whose merchant takes no payments, whose scan code is suspended and whose attempt key is known.
 */
export function startOfEachFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.startOfEach,
    takes: ['the_merchant text', 'the_merchants text[]', 'the_times timestamptz[]', 'the_rows json'],
    returns: 'table (place bigint, id bigint, date timestamptz)',
    body: `
declare
  one record;
  ledger record;
  moment timestamptz;
begin
  for one in
    select * from rows from (
      unnest(the_merchants, the_times), json_to_recordset(the_rows) as (${OWN_TYPED})
    ) with ordinality as given (merchant_id, given_at, ${OWN_NAMES.join(', ')}, nth)
  loop
    select l.suspensions into ledger from ${table('ledgers')} as l
      where l.merchant_id = one.merchant_id and l.suspended_at is null
      for no key update skip locked;
    continue when not found;
    if ledger.suspensions > 0 then
      perform 1 from ${table('scan_codes')} as s where s.code = one.scan_code and s.suspended_at is not null;
      continue when found;
    end if;
    if one.attempt_key is not null then
      perform 1 from ${table('payments')} as p
        where p.merchant_id = one.merchant_id and p.attempt_key = one.attempt_key;
      continue when found;
    end if;
    moment := date_trunc('second', coalesce(one.given_at, clock_timestamp()));
    update ${table('ledgers')} as l
      set last_payment_id = l.last_payment_id + 1, last_date = greatest(l.last_date, moment)
      where l.merchant_id = one.merchant_id
      returning l.last_payment_id as id, l.last_date as dated into ledger;
    insert into ${table('payments')} (merchant_id, id, date, status, strict, ${OWN_NAMES.join(', ')})
      values (one.merchant_id, ledger.id, ledger.dated, 'pending', false, ${OWN_NAMES.map(name => `one.${name}`).join(', ')});
    place := one.nth;
    id := ledger.id;
    date := ledger.dated;
    return next;
  end loop;
end`,
  }
}
