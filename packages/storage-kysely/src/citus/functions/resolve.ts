import { FIRST_FENCE } from '../../deliveries/first-fence.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
import { hold } from './hold.ts'
import { withMerchant } from './with-merchant.ts'

/**
 * Writes an outcome: $1 is what became of it, $2 why, and $3 the payment's id, unless another condition says which they are. Nothing comes
 * back of a payment that has one.
 */
export const outcomeOf = (table: (name: 'payments') => string, merchant: string, which = 'p.id = $3') =>
  withMerchant(
    merchant,
    id => `
      update ${table('payments')} as p
        set status = $1, failure = $2, guarded_reference = case when $1 = 'completed' then p.guarded_reference end
        where p.merchant_id = ${id} and ${which} and p.status not in ('completed', 'error')
        returning p.*`,
  )

/** True where the merchant has a webhook, else no row. */
const webhookOf = (table: TableName, merchant: string) =>
  withMerchant(
    merchant,
    id => `select true from ${table('merchants')} as m where m.id = ${id} and m.webhook_url is not null`,
  )

/**
 * Of so many ids in a row at most one is to be among those that a statement is for: it reads the others as well, since of ids alone a planner
 * that knows nothing of a shard yet makes a walk through all of a merchant's.
 */
const SPARSE = 16

/**
 * Writes outcomes of one merchant's payments with their deliveries, and returns the payments that got theirs. Those that are alike go into
 * one statement where their ids are near, each into its own elsewhere. Of several, those that another has locked are passed by; one by itself
 * waits.
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
      'the_traces text[]',
    ],
    returns: `setof ${payments}`,
    body: `
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  many constant int := array_length(the_ids, 1);
  patience constant text := current_setting('lock_timeout');
  first_id bigint;
  last_id bigint;
  together boolean := false;
  changed bigint[];
  payment ${payments}%rowtype;
  has_webhook boolean;
  first_fence constant bigint := ${FIRST_FENCE};
begin
  ${hold(table, 'the_merchant')}
  if many > 1 then
    set local ${BRIEF_LOCK_WAIT};
    select min(id), max(id) into first_id, last_id from unnest(the_ids) as given (id);
    together := last_id - first_id < ${SPARSE} * many
      and the_outcomes = array_fill(the_outcomes[1], array[many])
      and the_reasons = array_fill(the_reasons[1], array[many]);
  end if;
  if together then
    begin
      for payment in
        execute ${outcomeOf(table, 'the_merchant', 'p.id between $4 and $5 and p.id = any ($3)')}
          using the_outcomes[1], the_reasons[1], the_ids, first_id, last_id
      loop
        changed := changed || payment.id;
        return next payment;
      end loop;
    exception when lock_not_available then
      -- It ends before its first row is returned.
      together := false;
    end;
  end if;
  if not together then
    for n in 1..many loop
      begin
        execute ${outcomeOf(table, 'the_merchant')} into payment using the_outcomes[n], the_reasons[n], the_ids[n];
      exception when lock_not_available then
        if many = 1 then
          raise;
        end if;
        continue;
      end;
      continue when payment.id is null;
      changed := changed || payment.id;
      return next payment;
    end loop;
  end if;
  perform set_config('lock_timeout', patience, true);
  if changed is null then
    return;
  end if;
  execute ${webhookOf(table, 'the_merchant')} into has_webhook;
  if has_webhook is null then
    return;
  end if;
  if many = 1 then
    moment := coalesce(the_times[1], moment);
    insert into ${table('deliveries')}
      (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
      values (the_merchant, payment.id, 'pending', 0, first_fence, moment, moment, the_traces[1]);
  else
    insert into ${table('deliveries')}
      (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
      select the_merchant, given.id, 'pending', 0, first_fence, coalesce(given.due, moment), coalesce(given.due, moment), given.trace
      from unnest(the_ids, the_times, the_traces) as given (id, due, trace) where given.id = any (changed);
  end if;
end`,
  }
}
