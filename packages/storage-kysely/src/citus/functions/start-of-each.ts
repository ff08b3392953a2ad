import { OWN_NAMES, OWN_TYPED } from '../../group-commit/start-all-in-one-statement.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
import { atTablesOf } from './hold-all.ts'
import { SUSPENDED, takeNumbersOf } from './start.ts'
import { withMerchant } from './with-merchant.ts'

/**
 * Records a payment of each of several merchants that are at one node, `the_merchant` being the first of them. Passed by are those whose
 * merchant's lock another has, whose merchant takes no payments, whose scan code is suspended and whose attempt key is known; one by itself
 * waits for the lock. A call is a transaction.
 */
export function startOfEachFunction(table: TableName): Definition {
  const names = OWN_NAMES.join(', ')
  const { hold, at } = atTablesOf(table, ['ledgers', 'payments'])
  const insert = withMerchant(
    'one.merchant_id',
    id => `
        insert into ${at('payments')} (merchant_id, id, date, status, strict, ${names})
        values (${id}, $1, $2, 'pending', false, ${OWN_NAMES.map((_, n) => `$${n + 3}`).join(', ')})`,
  )
  return {
    name: FUNCTIONS.startOfEach,
    takes: ['the_merchant text', 'the_merchants text[]', 'the_times timestamptz[]', 'the_rows json'],
    returns: 'table (place bigint, id bigint, date timestamptz)',
    body: `
declare
  many constant int := cardinality(the_merchants);
  tables text[];
  one record;
  moment timestamptz;
  suspensions bigint;
begin
  if many > 1 then
    set local ${BRIEF_LOCK_WAIT};
  end if;${hold}
  for one in
    select * from rows from (
      unnest(the_merchants, the_times), json_to_recordset(the_rows) as (${OWN_TYPED})
    ) with ordinality as given (merchant_id, given_at, ${names}, nth)
  loop
    begin
      moment := date_trunc('second', coalesce(one.given_at, clock_timestamp()));
      execute ${takeNumbersOf(at, 'one.merchant_id')} into id, date, suspensions using 1, moment;
      continue when id is null;
      if suspensions > 0 then
        perform 1 from ${table('scan_codes')} as s where s.code = one.scan_code and s.suspended_at is not null;
        if found then
          raise exception using errcode = '${SUSPENDED}';
        end if;
      end if;
      execute ${insert} using id, date, ${OWN_NAMES.map(name => `one.${name}`).join(', ')};
      place := one.nth;
      return next;
    exception
      when unique_violation or sqlstate '${SUSPENDED}' then
        continue;
      when lock_not_available then
        if many = 1 then
          raise;
        end if;
    end;
  end loop;
end`,
  }
}
