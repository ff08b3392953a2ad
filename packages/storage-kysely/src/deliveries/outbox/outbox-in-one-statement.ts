import { type RawBuilder, sql } from 'kysely'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import type { Database } from '../../session/database.ts'
import { drawnFence } from '../first-fence.ts'
import { HANDED_COLUMNS } from './handed-over.ts'

/** What a statement that writes outcomes is about beside them: what it is not about costs it nothing. */
export interface OutboxForm {
  /** Whether any outcome has a trace: a column `trace` of `changed`. */
  traced: boolean
  /** Whether any delivery is to be the caller's own: a column `lease_until` of `changed`. */
  leased: boolean
}

/** How deliveries are written by the statement that writes their outcomes. */
export interface Outbox {
  /** The parts of the statement that write them, after one called `changed`: payments, and when their deliveries are due. */
  parts: RawBuilder<unknown>
  /** The part that has the payments, and `handed` beside them. */
  ended: RawBuilder<unknown>
  /** What is selected beside a payment. */
  handed: RawBuilder<unknown>
}

/** None is written where the merchant has no webhook URL, and none is leased while its endpoint is paused. */
export function outboxInOneStatement(
  { dialect }: Pick<Database, 'dialect'>,
  { traced, leased }: OutboxForm,
): Outbox {
  const [deliveries, merchants, endpoints] = ['deliveries', 'merchants', 'failing_endpoints'].map(name =>
    sql.table(name),
  )
  const [column, trace] = traced ? [sql`, traceparent`, sql`, changed.trace`] : [sql``, sql``]
  const columns = sql`merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at${column}`
  if (!leased) {
    const parts = sql`delivery as (
      insert into ${deliveries} (${columns})
      select changed.merchant_id, changed.id, 'pending', 0, ${drawnFence}, changed.due, changed.due${trace}
      from changed join ${merchants} as merchant on merchant.id = changed.merchant_id
      where merchant.webhook_url is not null
    )`
    return { parts, ended: sql`changed`, handed: sql`` }
  }
  // Looked up by key for each payment: no planner takes that for a join, and reads a table whole.
  const parts = sql`ended as (
      select changed.*, merchant.*, endpoint.failing_since,
        case when merchant.webhook_url is not null and not coalesce(endpoint.is_paused, false)
          and changed.lease_until is not null then ${drawnFence} end as lease_fence
      from changed
      left join lateral (
        select merchant.webhook_url, ${sql.join(webhookKeyColumns({ dialect }, 'merchant'))}
        from ${merchants} as merchant where merchant.id = changed.merchant_id offset 0
      ) as merchant on true
      left join lateral (
        select ${sql.join(columnsOf(dialect, 'failing_endpoints', ['failing_since'], 'endpoint'))},
          endpoint.paused_at is not null as is_paused
        from ${endpoints} as endpoint where endpoint.merchant_id = changed.merchant_id offset 0
      ) as endpoint on true
    ), delivery as (
      insert into ${deliveries} (${columns})
      select changed.merchant_id, changed.id, 'pending', 0,
        coalesce(changed.lease_fence, ${drawnFence}),
        case when changed.lease_fence is null then changed.due else changed.lease_until end, changed.due${trace}
      from ended as changed where changed.webhook_url is not null
    )`
  const handed = sql`, ${sql.join(HANDED_COLUMNS.map(name => sql.ref(`changed.${name}`)))}`
  return { parts, ended: sql`ended`, handed }
}
