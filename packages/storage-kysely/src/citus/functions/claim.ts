import { FUNCTIONS } from '../../schema/names.ts'
import { BATCH_LOCK_WAIT } from '../../session/transactions/in-batches.ts'
import type { Definition, TableName } from './definition.ts'
import { hold } from './hold.ts'

/**
 * Leases deliveries of one merchant whose fences are as they were read, or puts them to rest where its endpoint is paused;
 * what another has locked is passed by. Where another holds the row of a paused endpoint all are, and one row without a
 * payment says so. A shard that is held, as one that is being moved, is waited for but briefly: others' deliveries are to be claimed as well.
 */
export function claimFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.claim,
    takes: ['the_merchant text', 'the_ids bigint[]', 'the_fences bigint[]', 'lease_until timestamptz'],
    returns: 'table (payment_id bigint, attempts bigint, fence bigint, rests boolean)',
    // Longer than `BRIEFLY`: a table that grows has whoever writes many rows wait for that too.
    settings: [`lock_timeout=${BATCH_LOCK_WAIT}`],
    body: `
declare
  paused boolean;
  one record;
begin
  ${hold(table, 'the_merchant')}
  select f.paused_at is not null into paused from ${table('failing_endpoints')} as f where f.merchant_id = the_merchant;
  paused := coalesce(paused, false);
  if paused then
    perform 1 from ${table('failing_endpoints')} as f
      where f.merchant_id = the_merchant and f.paused_at is not null
      for no key update skip locked;
    if not found then
      return next;
      return;
    end if;
  end if;
  for one in
    select due.* from unnest(the_ids, the_fences) as given (id, fence), lateral (
      select d.payment_id, d.fence, d.attempts from ${table('deliveries')} as d
      where d.merchant_id = the_merchant and d.payment_id = given.id and coalesce(d.fence, 0) = given.fence
        and d.state not in ('delivered', 'exhausted')
      offset 0 for no key update skip locked
    ) as due
  loop
    update ${table('deliveries')} as d
      set next_attempt_at = case when paused then null else lease_until end, fence = coalesce(d.fence, 0) + 1
      where d.merchant_id = the_merchant and d.payment_id = one.payment_id;
    payment_id := one.payment_id;
    attempts := one.attempts;
    fence := coalesce(one.fence, 0) + 1;
    rests := paused;
    return next;
  end loop;
  if paused and payment_id is not null then
    -- Written as it is: whoever wakes it by an older snapshot, in which nothing rests yet, is refused.
    update ${table('failing_endpoints')} as f set paused_at = f.paused_at where f.merchant_id = the_merchant;
  end if;
end`,
  }
}
