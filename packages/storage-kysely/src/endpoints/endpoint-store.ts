import type { EndpointStore } from '@tillkit/storage'
import type { ExpressionBuilder } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { instantOf, instantOrNull } from '../schema/dates.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare, prepareChange } from '../session/statements/prepared.ts'
import { repairEndpoint } from '../time/repair-deliveries.ts'
import { wakeEndpoint } from './wake-endpoint.ts'
import { webhookKeyColumns, webhookKeysOf } from './webhook-keys.ts'

export function endpointStore(database: Database): EndpointStore {
  const { builder, read, write, dialect } = database
  const health = columnsOf(dialect, 'failing_endpoints', ['failing_since', 'paused_at'])
  const wake = wakeEndpoint(database)

  const find = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('merchants')
      .leftJoin('failing_endpoints', 'failing_endpoints.merchant_id', 'merchants.id')
      .select('merchants.webhook_url')
      .select(webhookKeyColumns(database))
      .select(health)
      .where('merchants.id', '=', p.merchantId),
  )
  const pause = prepareChange((p: { merchantId: string; failingSince: string; now: string }) =>
    builder
      .updateTable('failing_endpoints')
      .set({ paused_at: p.now })
      .where('merchant_id', '=', p.merchantId)
      .where('failing_since', '<=', p.failingSince)
      .where('paused_at', 'is', null),
  )
  // An attempt that began before the URL was taken away may have failed after.
  const urlOf = (eb: ExpressionBuilder<Tables, 'failing_endpoints'>) =>
    eb
      .selectFrom('merchants')
      .select('webhook_url')
      .whereRef('merchants.id', '=', 'failing_endpoints.merchant_id')
  const failing = (p: { after: string; limit: number }) =>
    builder
      .selectFrom('failing_endpoints')
      .select('merchant_id')
      .select(health)
      .where('merchant_id', '>', p.after)
      .where(eb => eb(urlOf(eb), 'is not', null))
      .orderBy('merchant_id')
      .limit(p.limit)
  const listFailing = prepare(failing)
  const listPaused = prepare((p: { after: string; limit: number }) =>
    failing(p).where('paused_at', 'is not', null),
  )

  return {
    async get(merchantId) {
      const row = await read.first(find({ merchantId }))
      if (!row) return null
      const { webhook_url: webhookUrl, failing_since, paused_at } = row
      const isPosted = webhookUrl !== null
      return {
        webhookUrl,
        ...webhookKeysOf(row),
        failingSince: isPosted ? instantOrNull(failing_since) : null,
        pausedAt: isPosted ? instantOrNull(paused_at) : null,
      }
    },

    pause(merchantId, failingSince, now) {
      const query = pause({
        merchantId,
        failingSince: dialect.time(failingSince),
        now: dialect.time(now),
      })
      return write(async session => (await session.change(query)) > 0, { statement: true, merchantId })
    },

    async wake(merchantId, now) {
      await write(session => wake(session, merchantId, dialect.time(now)), { repeatable: true, merchantId })
    },

    repairDates: repairEndpoint(database),

    async failing({ after = '', limit }) {
      const rows = await read.all(listFailing({ after, limit }))
      return rows.map(row => ({
        merchantId: row.merchant_id,
        failingSince: instantOf(row.failing_since),
        pausedAt: instantOrNull(row.paused_at),
      }))
    },

    async paused({ after = '', limit }) {
      const rows = await read.all(listPaused({ after, limit }))
      return rows.map(row => ({
        merchantId: row.merchant_id,
        failingSince: instantOf(row.failing_since),
        pausedAt: instantOf(row.paused_at ?? row.failing_since),
      }))
    },
  }
}
