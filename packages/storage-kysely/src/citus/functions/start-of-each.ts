import { OWN_NAMES, OWN_TYPED } from '../../group-commit/start-all-in-one-statement.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
import { hold } from './hold.ts'
import { SUSPENDED, takeNumbersOf } from './start.ts'

/**
 * Records a payment of each of several merchants that are at one node, `the_merchant` being the first of them. Passed by are those whose
 * merchant's lock another has, whose merchant takes no payments, whose scan code is suspended and whose attempt key is known.
 */
export function startOfEachFunction(table: TableName): Definition {
  const names = OWN_NAMES.join(', ')
  const all = `rows from (
      unnest(the_merchants, the_times), json_to_recordset(the_rows) as (${OWN_TYPED})
    ) with ordinality as given (merchant_id, given_at, ${names}, nth)`
  const into = `insert into ${table('payments')} (merchant_id, id, date, status, strict, ${names})`
  const takeNumbers = `
      ${hold(table, 'one.merchant_id')}
      moment := date_trunc('second', coalesce(one.given_at, clock_timestamp()));
      execute ${takeNumbersOf(table, 'one.merchant_id')} into id, date, suspensions using 1, moment;
      continue when id is null;
      if suspensions > 0 then
        perform 1 from ${table('scan_codes')} as s where s.code = one.scan_code and s.suspended_at is not null;
        if found then
          raise exception using errcode = '${SUSPENDED}';
        end if;
      end if;
      place := one.nth;`
  return {
    name: FUNCTIONS.startOfEach,
    takes: ['the_merchant text', 'the_merchants text[]', 'the_times timestamptz[]', 'the_rows json'],
    returns: 'table (place bigint, id bigint, date timestamptz)',
    settings: [BRIEF_LOCK_WAIT],
    // Rows that are inserted together are planned for once; where one of them cannot be, each is by itself.
    body: `
declare
  one record;
  moment timestamptz;
  suspensions bigint;
  places bigint[];
  ids bigint[];
  dates timestamptz[];
begin
  begin
    for one in select * from ${all}
    loop
      begin${takeNumbers}
      exception when lock_not_available or sqlstate '${SUSPENDED}' then
        continue;
      end;
      places := places || place;
      ids := ids || id;
      dates := dates || date;
    end loop;
    ${into}
      select given.merchant_id, taken.id, taken.date, 'pending', false, ${OWN_NAMES.map(name => `given.${name}`).join(', ')}
      from ${all} join unnest(places, ids, dates) as taken (nth, id, date) using (nth);
    return query select * from unnest(places, ids, dates);
    return;
  exception when unique_violation then
    null;
  end;
  for one in select * from ${all}
  loop
    begin${takeNumbers}
      ${into}
        values (one.merchant_id, id, date, 'pending', false, ${OWN_NAMES.map(name => `one.${name}`).join(', ')});
      return next;
    exception when lock_not_available or unique_violation or sqlstate '${SUSPENDED}' then
      continue;
    end;
  end loop;
end`,
  }
}
