import { sql } from 'kysely'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import type { Ending } from '../../group-commit/resolve-all.ts'
import { columnsOf } from '../../schema/columns.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { jsonRows, prepareForRows } from '../../session/statements/json-rows.ts'
import { givenTime } from '../../time/given-time.ts'
import type { EndpointRow } from '../claiming/claimed-delivery.ts'
import { firstFence } from '../first-fence.ts'
import type { HandedRow } from './handed-over.ts'

interface OutboxEndpoint extends EndpointRow {
  id: string
  webhook_url: string
  paused_at: string | null
}

const DELIVERY = {
  merchant_id: 'longtext',
  payment_id: 'bigint',
  fence: 'bigint',
  lease_until: 'longtext',
  due: 'longtext',
  traceparent: 'longtext',
} as const

/**
 * Writes the deliveries of outcomes within their own transaction, in two steps whatever their number; none where a merchant has no
 * webhook URL. Returns at their places what those take that are leased to the caller, which none is while its endpoint is paused.
 */
export function outboxOfAll(
  database: Database,
): (session: Session, endings: Ending[]) => Promise<(HandedRow | undefined)[]> {
  const { dialect } = database
  const [merchants, endpoints, deliveries] = ['merchants', 'failing_endpoints', 'deliveries'].map(name =>
    sql.table(name),
  )
  const find = prepareForRows(
    database,
    rows => sql<OutboxEndpoint>`
      select merchant.id, merchant.webhook_url, ${sql.join(webhookKeyColumns(database, 'merchant'))},
        ${sql.join(columnsOf(dialect, 'failing_endpoints', ['failing_since', 'paused_at'], 'endpoint'))}
      from ${jsonRows(rows, { id: 'longtext' })}
      straight_join ${merchants} as merchant on merchant.id = given.id
      left join ${endpoints} as endpoint on endpoint.merchant_id = merchant.id
      where merchant.webhook_url is not null`,
  )
  const due = dialect.orNow(sql.ref('due'))
  const insert = prepareForRows(
    database,
    rows => sql`
      insert into ${deliveries}
        (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at, traceparent)
      select merchant_id, payment_id, 'pending', 0, fence, coalesce(lease_until, ${due}), ${due}, traceparent
      from ${jsonRows(rows, DELIVERY)}`,
  )

  return async (session, endings) => {
    const ids = [...new Set(endings.map(({ key }) => key.merchantId))].map(id => ({ id }))
    const found = await session.all(find(ids))
    const endpointOf = new Map(found.map(endpoint => [endpoint.id, endpoint]))
    const handed = endings.map(({ key, leaseUntil = null }): HandedRow | undefined => {
      const endpoint = endpointOf.get(key.merchantId)
      if (leaseUntil === null || !endpoint || endpoint.paused_at !== null) return undefined
      const { webhook_url, webhook_key, previous_webhook_key, previous_webhook_key_until } = endpoint
      const keys = [webhook_key, previous_webhook_key, previous_webhook_key_until] as const
      return [firstFence(), webhook_url, ...keys, endpoint.failing_since]
    })
    const rows = endings.flatMap(({ key, now, traceparent = null, leaseUntil = null }, n) => {
      if (!endpointOf.has(key.merchantId)) return []
      const isLeased = handed[n] !== undefined
      return {
        ...{ merchant_id: key.merchantId, payment_id: key.id, traceparent },
        fence: handed[n]?.[0] ?? firstFence(),
        lease_until: isLeased && leaseUntil !== null ? dialect.time(leaseUntil) : null,
        due: givenTime(dialect, now),
      }
    })
    if (rows.length > 0) await session.change(insert(rows))
    return handed
  }
}
