import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'

/**
 * Writes outcomes of one merchant's payments with their deliveries, and returns the payments that got theirs. Of several,
 * those that another has locked are passed by; one by itself waits.
 */
export function resolveFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.resolve,
    takes: [
      'the_merchant text',
      'the_ids bigint[]',
      'the_outcomes text[]',
      'the_reasons text[]',
      'the_times timestamptz[]',
    ],
    returns: `setof ${table('payments')}`,
    body: `
declare
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  free bigint[] := the_ids;
  payment ${table('payments')}%rowtype;
  told boolean;
  payment_id bigint;
  outcome text;
  reason text;
  due timestamptz;
begin
  if array_length(the_ids, 1) > 1 then
    select array_agg(locked.id) into free from (
      select p.id from ${table('payments')} as p
      where p.merchant_id = the_merchant and p.id = any (the_ids)
      for update skip locked
    ) as locked;
  end if;
  for n in 1..array_length(the_ids, 1) loop
    continue when free is null or the_ids[n] <> all (free);
    outcome := the_outcomes[n];
    reason := the_reasons[n];
    payment_id := the_ids[n];
    due := coalesce(the_times[n], moment);
    update ${table('payments')} as p
      set status = outcome, failure = reason,
        guarded_reference = case when outcome = 'completed' then p.guarded_reference end
      where p.merchant_id = the_merchant and p.id = payment_id and p.status not in ('completed', 'error')
      returning p.* into payment;
    continue when not found;
    if told is null then
      select m.webhook_url is not null into told from ${table('merchants')} as m where m.id = the_merchant;
    end if;
    if told then
      insert into ${table('deliveries')}
        (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        values (the_merchant, payment_id, 'pending', 0, 0, due, due);
    end if;
    return next payment;
  end loop;
end`,
  }
}
