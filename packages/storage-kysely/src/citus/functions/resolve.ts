import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'

/**
 * Writes outcomes of one merchant's payments with their deliveries, and returns the payments that got theirs. Of several, those that
 * another has locked are passed by; one by itself waits.
 */
export function resolveFunction(table: TableName): Definition {
  const payments = table('payments')
  return {
    name: FUNCTIONS.resolve,
    takes: [
      'the_merchant text',
      'the_ids bigint[]',
      'the_outcomes text[]',
      'the_reasons text[]',
      'the_times timestamptz[]',
    ],
    returns: `setof ${payments}`,
    // Each row is looked up by its key alone: of any other form a planner that knows nothing of a shard yet makes a walk through
    // all of a merchant's.
    body: `
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  many constant int := array_length(the_ids, 1);
  free bigint[] := the_ids;
  changed bigint[];
  payment ${payments}%rowtype;
  payment_id bigint;
  outcome text;
  reason text;
begin
  if many > 1 then
    select array_agg(locked.id) into free from unnest(the_ids) as given (id), lateral (
      select p.id from ${payments} as p where p.merchant_id = the_merchant and p.id = given.id
      offset 0 for no key update skip locked
    ) as locked;
  end if;
  for n in 1..many loop
    continue when free is null or the_ids[n] <> all (free);
    payment_id := the_ids[n];
    outcome := the_outcomes[n];
    reason := the_reasons[n];
    update ${payments} as p
      set status = outcome, failure = reason,
        guarded_reference = case when outcome = 'completed' then p.guarded_reference end
      where p.merchant_id = the_merchant and p.id = payment_id and p.status not in ('completed', 'error')
      returning p.* into payment;
    continue when not found;
    changed := changed || payment_id;
    return next payment;
  end loop;
  if changed is null then
    return;
  end if;
  perform 1 from ${table('merchants')} as m where m.id = the_merchant and m.webhook_url is not null;
  if not found then
    return;
  end if;
  if many = 1 then
    moment := coalesce(the_times[1], moment);
    insert into ${table('deliveries')} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
      values (the_merchant, payment_id, 'pending', 0, 0, moment, moment);
  else
    insert into ${table('deliveries')} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
      select the_merchant, given.id, 'pending', 0, 0, coalesce(given.due, moment), coalesce(given.due, moment)
      from unnest(the_ids, the_times) as given (id, due) where given.id = any (changed);
  end if;
end`,
  }
}
