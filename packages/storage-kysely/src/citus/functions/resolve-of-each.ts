import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
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
begin
  for one in
    select * from unnest(the_merchants, the_ids, the_outcomes, the_reasons, the_times, the_traces)
      as given (merchant_id, payment_id, outcome, reason, due, trace)
  loop
    begin
      execute ${outcomeOf(table, 'one.merchant_id')} into payment using one.payment_id, one.outcome, one.reason;
      continue when payment.id is null;
      execute ${webhookOf(table, 'one.merchant_id')} into has_webhook;
      if has_webhook then
        insert into ${table('deliveries')}
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
          values (one.merchant_id, one.payment_id, 'pending', 0, 0, coalesce(one.due, moment), coalesce(one.due, moment), one.trace);
      end if;
      return next payment;
    exception when lock_not_available then
      continue;
    end;
  end loop;
end`,
  }
}
