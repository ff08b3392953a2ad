import { type RawBuilder, sql } from 'kysely'
import { hasOneOf } from '../payments/has-one-of.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import { hardlyAny } from '../schema/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import type { ResolveAll } from './resolve-all.ts'

/** Outcomes as columns: one array a column, so that any number of them is one form of the statement. */
interface Columns {
  /** As often as there are ids: by itself, a planner takes one index of the merchant's for another. */
  merchantId: string[]
  id: number[]
  status: string[]
  failure: (string | null)[]
  now: (string | null)[]
  traceparent: (string | null)[]
}

/** One round trip, whatever their number. */
export function resolveAllInOneStatement(database: Database): ResolveAll {
  const { builder, dialect } = database
  const resolve = (traced: boolean) =>
    prepareArrays<Columns, PaymentRow>(p => ({
      compile: () => statement(database, p, traced).compile(builder),
    }))
  const [plain, traced] = [resolve(false), resolve(true)]
  return (session, merchantId, endings) => {
    const form = endings.some(({ traceparent }) => traceparent) ? traced : plain
    return session.all(
      form({
        merchantId: endings.map(() => merchantId),
        id: endings.map(({ key }) => key.id),
        status: endings.map(({ outcome }) => outcome.status),
        failure: endings.map(({ outcome }) => (outcome.status === 'error' ? outcome.failure : null)),
        now: endings.map(({ now }) => givenTime(dialect, now)),
        traceparent: endings.map(({ traceparent = null }) => traceparent),
      }),
    )
  }
}

function statement({ dialect }: Database, p: Columns, traced: boolean): RawBuilder<unknown> {
  const [payments, deliveries, merchants] = ['payments', 'deliveries', 'merchants'].map(name =>
    sql.table(name),
  )
  const [traces, column, ofDelivery, ofChanged] = traced
    ? [sql`, ${p.traceparent}::text[]`, sql`, trace`, sql`, traceparent`, sql`, changed.trace`]
    : [sql``, sql``, sql``, sql``]
  const due = sql`coalesce(changed.due, date_trunc('milliseconds', clock_timestamp()))`
  return sql`
    with given as (
      select * from unnest(
        ${p.merchantId}::text[], ${p.id}::bigint[], ${p.status}::text[], ${p.failure}::text[],
        ${p.now}::timestamptz[]${traces}
      ) as given (merchant_id, id, outcome, reason, due${column})
      where ${hardlyAny(dialect, sql.ref('id'))}
    ), free as materialized (
      select given.* from ${payments} as payment
      join given on payment.merchant_id = given.merchant_id and payment.id = given.id
      where ${hasOneOf(['pending'])}
      for update of payment skip locked
    ), changed as (
      update ${payments} as payment set
        status = free.outcome, failure = free.reason,
        guarded_reference = case when free.outcome = 'completed' then payment.guarded_reference end
      from free
      where payment.merchant_id = free.merchant_id and payment.id = free.id
      returning payment.*, free.due${traced ? sql`, free.trace` : sql``}
    ), delivery as (
      insert into ${deliveries} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at${ofDelivery})
      select changed.merchant_id, changed.id, 'pending', 0, 0, ${due}, ${due}${ofChanged}
      from changed join ${merchants} as merchant on merchant.id = changed.merchant_id
      where merchant.webhook_url is not null
    )
    select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))} from changed`
}
