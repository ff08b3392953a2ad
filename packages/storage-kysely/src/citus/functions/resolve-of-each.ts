import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'

/**
 * Writes outcomes of payments of several merchants that are at one node, `the_merchant` being the first of them, with their deliveries,
 * and returns the payments that got theirs. Those that another has locked are passed by.
 */
export function resolveOfEachFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.resolveOfEach,
    takes: [
      'the_merchant text',
      'the_merchants text[]',
      'the_ids bigint[]',
      'the_outcomes text[]',
      'the_reasons text[]',
      'the_times timestamptz[]',
    ],
    returns: `setof ${table('payments')}`,
    body: `
declare
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  payment ${table('payments')}%rowtype;
  one record;
begin
  for one in
    select * from unnest(the_merchants, the_ids, the_outcomes, the_reasons, the_times)
      as given (merchant_id, payment_id, outcome, reason, due)
  loop
    perform 1 from ${table('payments')} as p
      where p.merchant_id = one.merchant_id and p.id = one.payment_id
      for no key update skip locked;
    continue when not found;
    update ${table('payments')} as p
      set status = one.outcome, failure = one.reason,
        guarded_reference = case when one.outcome = 'completed' then p.guarded_reference end
      where p.merchant_id = one.merchant_id and p.id = one.payment_id and p.status not in ('completed', 'error')
      returning p.* into payment;
    continue when not found;
    perform 1 from ${table('merchants')} as m where m.id = one.merchant_id and m.webhook_url is not null;
    if found then
      insert into ${table('deliveries')}
        (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        values (one.merchant_id, one.payment_id, 'pending', 0, 0, coalesce(one.due, moment), coalesce(one.due, moment));
    end if;
    return next payment;
  end loop;
end`,
  }
}
