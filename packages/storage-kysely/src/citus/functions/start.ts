import { OWN_NAMES, OWN_TYPED } from '../../group-commit/start-all-in-one-statement.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'
import { hold } from './hold.ts'
import { withMerchant } from './with-merchant.ts'

/** What it says where a scan code is suspended: nothing was recorded then. */
export const SUSPENDED = 'TK001'

/**
 * Gives out a merchant's next ids: $1 is how many, $2 a moment that the date is not before. The last of them, the date and how often a code
 * was suspended come back, and nothing of a merchant that takes no payments.
 */
export const takeNumbersOf = (table: (name: 'ledgers') => string, merchant: string) =>
  withMerchant(
    merchant,
    id => `
      update ${table('ledgers')} as l
        set last_payment_id = l.last_payment_id + $1, last_date = greatest(l.last_date, $2)
        where l.merchant_id = ${id} and l.suspended_at is null
        returning l.last_payment_id, l.last_date, l.suspensions`,
  )

/**
 * Records payments of one merchant in their order. An attempt key that is known ends in the error of its unique key, and a
 * scan code that is suspended in `SUSPENDED`; both undo all of it. That is looked at where one of the merchant's codes ever
 * was: the ledger, whose lock it has then, counts how often.
 */
export function startFunction(table: TableName): Definition {
  const into = `insert into ${table('payments')} (merchant_id, id, date, status, strict, ${OWN_NAMES.join(', ')})`
  const one = OWN_NAMES.map(name => `one.${name}`).join(', ')
  return {
    name: FUNCTIONS.start,
    takes: ['the_merchant text', 'the_rows json', 'the_time timestamptz'],
    returns: 'table (place bigint, id bigint, date timestamptz)',
    body: `
declare
  many constant int := json_array_length(the_rows);
  moment constant timestamptz := date_trunc('second', coalesce(the_time, clock_timestamp()));
  one record;
  before bigint;
  suspensions bigint;
begin
  ${hold(table, 'the_merchant')}
  execute ${takeNumbersOf(table, 'the_merchant')} into id, date, suspensions using many, moment;
  if id is null then
    return;
  end if;
  before := id - many;
  if suspensions > 0 then
    perform 1 from ${table('scan_codes')} as s
      where s.code = any (array(select given ->> 'scan_code' from json_array_elements(the_rows) as given))
        and s.suspended_at is not null;
    if found then
      raise exception 'a scan code is suspended' using errcode = '${SUSPENDED}';
    end if;
  end if;
  if many = 1 then
    select * into one from json_to_recordset(the_rows) as given (${OWN_TYPED});
    ${into}
      values (the_merchant, before + 1, date, 'pending', false, ${one});
  else
    ${into}
      select the_merchant, before + given.nth, date, 'pending', false, ${OWN_NAMES.map(name => `given.${name}`).join(', ')}
      from rows from (json_to_recordset(the_rows) as (${OWN_TYPED})) with ordinality as given (${OWN_NAMES.join(', ')}, nth);
  end if;
  for n in 1..many loop
    place := n;
    id := before + n;
    return next;
  end loop;
end`,
  }
}
