import { type RawBuilder, sql } from 'kysely'
import type { EndedRow } from '../deliveries/outbox/handed-over.ts'
import { type OutboxForm, outboxInOneStatement } from '../deliveries/outbox/outbox-in-one-statement.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { hasOneOf } from '../payments/has-one-of.ts'
import { columnsOf } from '../schema/columns.ts'
import { hardlyAny } from '../schema/planner/unforeseen.ts'
import { PAYMENT_COLUMNS, type Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { prepareArraysEach } from '../session/statements/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import type { Ending, ResolveAll } from './resolve-all.ts'

/** Outcomes as columns: one array a column, so that any number of them is one form of the statement. */
export interface EndingColumns {
  /** One for each id, whosever they are: by itself, a planner takes one index of the merchant's for another. */
  merchantId: string[]
  id: number[]
  status: string[]
  failure: (string | null)[]
  now: (string | null)[]
  traceparent: (string | null)[]
}

export const endingColumns = (dialect: Dialect, endings: Ending[]): EndingColumns => ({
  merchantId: endings.map(({ key }) => key.merchantId),
  id: endings.map(({ key }) => key.id),
  status: endings.map(({ outcome }) => outcome.status),
  failure: endings.map(({ outcome }) => (outcome.status === 'error' ? outcome.failure : null)),
  now: endings.map(({ now }) => givenTime(dialect, now)),
  traceparent: endings.map(({ traceparent = null }) => traceparent),
})

interface Columns extends EndingColumns {
  leaseUntil: (string | null)[]
}

/** One round trip, whatever their number. */
export function resolveAllInOneStatement(database: Database): ResolveAll {
  const { builder, dialect } = database
  const formOf = prepareArraysEach<OutboxForm, Columns, [...EndedRow, place: Whole]>(form => p => ({
    compile: () => statement(database, p, form).compile(builder),
  }))
  return async (session, endings) => {
    const traced = endings.some(({ traceparent }) => traceparent)
    const leased = endings.some(({ leaseUntil }) => leaseUntil)
    const resolve = formOf(`${traced} ${leased}`, { traced, leased })
    const rows = await session.all(
      resolve({
        ...endingColumns(dialect, endings),
        leaseUntil: endings.map(({ leaseUntil }) => (leaseUntil ? dialect.time(leaseUntil) : null)),
      }),
    )
    const answers: (EndedRow | undefined)[] = endings.map(() => undefined)
    for (const row of rows) {
      const place = Number(row.pop()) - 1
      answers[place] = row as unknown as EndedRow
    }
    return answers
  }
}

function statement(database: Database, p: Columns, form: OutboxForm): RawBuilder<unknown> {
  const { dialect } = database
  const payments = sql.table('payments')
  const [traces, trace, ofFree] = form.traced
    ? [sql`, ${p.traceparent}::text[]`, sql`, trace`, sql`, free.trace`]
    : [sql``, sql``, sql``]
  const [leases, lease, andOfFree] = form.leased
    ? [sql`, ${p.leaseUntil}::timestamptz[]`, sql`, lease_until`, sql`, free.lease_until`]
    : [sql``, sql``, sql``]
  const { parts, ended, handed } = outboxInOneStatement(database, form)
  return sql`
    with given as (
      select * from unnest(
        ${p.merchantId}::text[], ${p.id}::bigint[], ${p.status}::text[], ${p.failure}::text[],
        ${p.now}::timestamptz[]${traces}${leases}
      ) with ordinality as given (merchant_id, id, outcome, reason, due${trace}${lease}, place)
      where ${hardlyAny(dialect, sql.ref('id'))}
    ), free as materialized (
      select given.* from ${payments} as payment
      join given on payment.merchant_id = given.merchant_id and payment.id = given.id
      where ${hasOneOf(['pending'])}
      for no key update of payment skip locked
    ), changed as (
      update ${payments} as payment set
        status = free.outcome, failure = free.reason,
        guarded_reference = case when free.outcome = 'completed' then payment.guarded_reference end
      from free
      where payment.merchant_id = free.merchant_id and payment.id = free.id
      returning payment.*, coalesce(free.due, date_trunc('milliseconds', clock_timestamp())) as due${ofFree}${andOfFree},
        free.place
    ), ${parts}
    select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))}${handed}, changed.place
    from ${ended} as changed`
}
