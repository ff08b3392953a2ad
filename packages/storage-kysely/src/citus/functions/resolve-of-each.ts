import { FIRST_FENCE } from '../../deliveries/first-fence.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { BRIEF_LOCK_WAIT, type Definition, type TableName } from './definition.ts'
import { atTablesOf } from './hold-all.ts'
import { outcomeOf } from './resolve.ts'
import { withMerchant } from './with-merchant.ts'

/**
 * Writes outcomes of payments of several merchants that are at one node, `the_merchant` being the first of them, with their deliveries,
 * and returns the payments that got theirs. Those that another has locked are passed by; one by itself waits. A call is a transaction.
 */
export function resolveOfEachFunction(table: TableName): Definition {
  const { hold, at } = atTablesOf(table, ['payments', 'merchants', 'deliveries'])
  const deliver = withMerchant(
    'one.merchant_id',
    id => `
      insert into ${at('deliveries')} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
      select m.id, $1, 'pending', 0, ${FIRST_FENCE}, $2, $2, $3 from ${at('merchants')} as m where m.id = ${id} and m.webhook_url is not null`,
  )
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
    body: `
declare
  many constant int := cardinality(the_ids);
  tables text[];
  moment timestamptz;
  payment ${table('payments')}%rowtype;
  one record;
begin
  if many > 1 then
    set local ${BRIEF_LOCK_WAIT};
  end if;${hold}
  for one in
    select * from unnest(the_merchants, the_ids, the_outcomes, the_reasons, the_times, the_traces)
      with ordinality as given (merchant_id, payment_id, outcome, reason, given_at, trace, nth)
  loop
    begin
      execute ${outcomeOf(at, 'one.merchant_id')} into payment using one.outcome, one.reason, one.payment_id;
      continue when payment.id is null;
      moment := coalesce(one.given_at, date_trunc('milliseconds', clock_timestamp()));
      execute ${deliver} using payment.id, moment, one.trace;
      return next payment;
    exception when lock_not_available then
      if many = 1 then
        raise;
      end if;
    end;
  end loop;
end`,
  }
}
