import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
import { hold } from './hold.ts'
import { outcomeOf, webhookOf } from './resolve.ts'

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
      'the_traces text[]',
    ],
    returns: `setof ${table('payments')}`,
    settings: [BRIEF_LOCK_WAIT],
    body: `
declare
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  payment ${table('payments')}%rowtype;
  one record;
  has_webhook boolean;
  places bigint[];
begin
  for one in
    select * from unnest(the_merchants, the_ids, the_outcomes, the_reasons)
      with ordinality as given (merchant_id, payment_id, outcome, reason, nth)
  loop
    begin
      ${hold(table, 'one.merchant_id')}
      execute ${outcomeOf(table, 'one.merchant_id')} into payment using one.outcome, one.reason, one.payment_id;
    exception when lock_not_available then
      continue;
    end;
    continue when payment.id is null;
    execute ${webhookOf(table, 'one.merchant_id')} into has_webhook;
    if has_webhook then
      places := places || one.nth;
    end if;
    return next payment;
  end loop;
  insert into ${table('deliveries')}
    (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
    select the_merchants[nth], the_ids[nth], 'pending', 0, 0, coalesce(the_times[nth], moment), coalesce(the_times[nth], moment), the_traces[nth]
    from unnest(places) as given (nth);
end`,
  }
}
