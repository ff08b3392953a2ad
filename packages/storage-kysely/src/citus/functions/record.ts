import { KEPT_ATTEMPTS } from '@tillkit/domain'
import { MOST_AT_ONCE } from '../../endpoints/end-rest.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Definition, TableName } from './definition.ts'
import { hold } from './hold.ts'

/**
 * Writes results of one merchant's deliveries, and what they say of its endpoint; returns the places of those that were
 * written. Those whose rows another has locked are waited for, or passed by.
 */
export function recordFunction(table: TableName): Definition {
  return {
    name: FUNCTIONS.record,
    takes: [
      ...[
        'the_merchant text',
        'waits boolean',
        'the_ids bigint[]',
        'the_fences bigint[]',
        'the_states text[]',
      ],
      ...[
        'the_turns timestamptz[]',
        'the_times timestamptz[]',
        'the_statuses bigint[]',
        'the_lengths bigint[]',
      ],
      ...['the_errors text[]', 'the_answers text[]', 'asked boolean[]'],
    ],
    returns: 'setof bigint',
    body: `
declare
  id bigint;
  lease bigint;
  outcome text;
  turn timestamptz;
  began timestamptz;
  answered bigint;
  lasted bigint;
  fault text;
  words text;
  last_number bigint;
  before ${table('deliveries')}%rowtype;
  is_lone boolean;
  succeeded boolean := false;
  failed_since timestamptz;
  woken bigint[];
begin
  ${hold(table, 'the_merchant')}
  for n in 1..array_length(the_ids, 1) loop
    -- Citus cannot say an element of an array where a column is set.
    select the_ids[n], the_fences[n], the_states[n], the_turns[n], the_times[n], the_statuses[n], the_lengths[n],
      the_errors[n], the_answers[n]
      into id, lease, outcome, turn, began, answered, lasted, fault, words;
    if not waits then
      perform 1 from ${table('deliveries')} as d
        where d.merchant_id = the_merchant and d.payment_id = id
        for update skip locked;
      continue when not found;
    end if;
    select d.* into before from ${table('deliveries')} as d
      where d.merchant_id = the_merchant and d.payment_id = id and d.fence = lease
        and d.state not in ('delivered', 'exhausted')
      for update;
    continue when not found;
    is_lone := fault is null and before.last_attempt_at is null;
    update ${table('deliveries')} as d
      set state = outcome, attempts = coalesce(d.attempts, 0) + 1, fence = d.fence + 1,
        next_attempt_at = turn, last_attempt_at = began,
        last_status = answered, last_error = fault,
        lone_milliseconds = case when is_lone then lasted end, lone_answer = case when is_lone then words end
      where d.merchant_id = the_merchant and d.payment_id = id;
    if not is_lone then
      select max(a.number) into last_number from ${table('delivery_attempts')} as a
        where a.merchant_id = the_merchant and a.payment_id = id;
      if last_number is null and before.lone_milliseconds is not null and before.last_attempt_at is not null
        and before.last_error is null and before.attempts < 2 then
        last_number := 1;
        insert into ${table('delivery_attempts')}
          (merchant_id, payment_id, number, began_at, status, milliseconds, answer)
          values (the_merchant, id, 1, before.last_attempt_at, before.last_status, before.lone_milliseconds,
            before.lone_answer);
      end if;
      last_number := coalesce(last_number, 0) + 1;
      insert into ${table('delivery_attempts')}
        (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
        values (the_merchant, id, last_number, began, answered, lasted, fault, words);
      if last_number > ${KEPT_ATTEMPTS} then
        delete from ${table('delivery_attempts')} as a
          where a.merchant_id = the_merchant and a.payment_id = id and a.number <= last_number - ${KEPT_ATTEMPTS};
      end if;
    end if;
    if fault is null then
      succeeded := true;
    elsif asked[n] then
      failed_since := least(failed_since, began);
    end if;
    return next n;
  end loop;
  if succeeded then
    began := the_times[array_length(the_times, 1)];
    update ${table('failing_endpoints')} as f set failing_since = began, paused_at = null
      where f.merchant_id = the_merchant;
    if found then
      select array_agg(resting.payment_id) into woken from (
        select d.payment_id from ${table('deliveries')} as d
        where d.merchant_id = the_merchant and d.state = 'pending' and d.next_attempt_at is null
        limit ${MOST_AT_ONCE} for update
      ) as resting;
      update ${table('deliveries')} as d set next_attempt_at = began
        where d.merchant_id = the_merchant and d.payment_id = any(woken);
      -- Where more may rest it goes on failing, so that the next success goes on.
      if coalesce(array_length(woken, 1), 0) < ${MOST_AT_ONCE} then
        delete from ${table('failing_endpoints')} as f where f.merchant_id = the_merchant;
      end if;
    end if;
  elsif failed_since is not null then
    insert into ${table('failing_endpoints')} (merchant_id, failing_since) values (the_merchant, failed_since)
      on conflict (merchant_id) do nothing;
  end if;
end`,
  }
}
