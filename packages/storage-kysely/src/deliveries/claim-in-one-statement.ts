import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { webhookKeyColumns } from '../endpoints/webhook-keys.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS } from '../schema/rows.ts'
import { unforeseen } from '../schema/unforeseen.ts'
import { walk } from '../schema/walk.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import { claimedDelivery } from './claimed-delivery.ts'

interface Parameters {
  now: string | null
  leaseUntil: string
  limit: number
  except: string[]
}

/**
 * What is due is locked, leased and read with its payment and merchant in one round trip; others' locks are passed by.
 * What is due for a paused endpoint is put to rest in its stead, under a lock of the endpoint's row, so that none is left
 * behind by a wake beside it. Where another holds that row nobody waits: its deliveries stay due.
 */
export function claimInOneStatement({ builder, write, dialect }: Database): DeliveryStore['claim'] {
  const due = walk(dialect, 'due')
  const claim = prepare((p: Parameters) =>
    builder
      .with('found', db =>
        db
          .selectFrom('deliveries')
          .select(['merchant_id', 'payment_id', 'next_attempt_at'])
          .where(due.upTo(dialect.orNow(p.now)))
          .where('merchant_id', '<>', sql<string>`all(${p.except}::text[])`)
          .orderBy(due.time)
          .limit(p.limit)
          .forUpdate()
          .skipLocked(),
      )
      // All of them, by a condition of which a planner expects little: so it looks each up, and reads no table whole.
      .with('due', db =>
        db
          .selectFrom('found')
          .selectAll()
          .where('payment_id', '>=', unforeseen(dialect, 0))
          .where('payment_id', '<=', unforeseen(dialect, Number.MAX_SAFE_INTEGER)),
      )
      .with('paused', db =>
        db
          .selectFrom('failing_endpoints')
          .select('merchant_id')
          .where('paused_at', 'is not', null)
          .where('merchant_id', 'in', eb => eb.selectFrom('due').select('merchant_id'))
          .forShare()
          .skipLocked(),
      )
      .with('shut', db =>
        db
          .selectFrom('failing_endpoints')
          .select('merchant_id')
          .where('paused_at', 'is not', null)
          .where('merchant_id', 'in', eb => eb.selectFrom('due').select('merchant_id')),
      )
      .with('leased', db =>
        db
          .updateTable('deliveries')
          .from('due')
          .leftJoin('paused', 'paused.merchant_id', 'due.merchant_id')
          .leftJoin('shut', 'shut.merchant_id', 'due.merchant_id')
          .set({
            next_attempt_at: sql<string>`case when paused.merchant_id is not null then null
              when shut.merchant_id is not null then ${sql.ref('deliveries.next_attempt_at')}
              else ${p.leaseUntil}::timestamptz end`,
            fence: sql<number>`coalesce(${sql.ref('deliveries.fence')}, 0) + 1`,
          })
          .whereRef('deliveries.merchant_id', '=', 'due.merchant_id')
          .whereRef('deliveries.payment_id', '=', 'due.payment_id')
          .returning([
            'deliveries.merchant_id as merchant_id',
            'deliveries.payment_id as payment_id',
            'deliveries.attempts as attempts',
            'deliveries.fence as fence',
            'due.next_attempt_at as due_at',
            sql<boolean>`paused.merchant_id is not null or shut.merchant_id is not null`.as('rests'),
            sql<boolean>`paused.merchant_id is null and shut.merchant_id is not null`.as('passed_by'),
          ]),
      )
      .selectFrom('leased')
      .leftJoin('payments', join =>
        join
          .onRef('payments.merchant_id', '=', 'leased.merchant_id')
          .onRef('payments.id', '=', 'leased.payment_id'),
      )
      .leftJoin('merchants', 'merchants.id', 'leased.merchant_id')
      .leftJoin('failing_endpoints', 'failing_endpoints.merchant_id', 'leased.merchant_id')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .select(columnsOf(dialect, 'failing_endpoints', ['failing_since']))
      .select(['leased.merchant_id as held_merchant', 'leased.payment_id as held_payment'])
      .select(['leased.attempts', 'leased.fence', 'leased.rests', 'leased.passed_by'])
      .select(['merchants.id as known_merchant', 'merchants.webhook_url'])
      .select(webhookKeyColumns({ dialect }))
      .orderBy('leased.due_at'),
  )

  return async ({ now, leaseUntil, limit, exceptMerchants = [] }) => {
    const except = new Set(exceptMerchants.filter(merchantId => !merchantId.includes('\0')))
    const claimed: ClaimedDelivery[] = []
    while (claimed.length < limit) {
      const query = claim({
        now: givenTime(dialect, now),
        leaseUntil: dialect.time(leaseUntil),
        limit: limit - claimed.length,
        except: [...except],
      })
      const rows = await write(session => session.all(query), { statement: true, repeatable: true })
      for (const row of rows) {
        if (row.passed_by) except.add(row.held_merchant)
        if (row.rests) continue
        const held = {
          merchantId: row.held_merchant,
          paymentId: Number(row.held_payment),
          attempts: Number(row.attempts),
          fence: Number(row.fence),
        }
        claimed.push(claimedDelivery(held, row))
      }
      if (!rows.some(({ rests }) => rests)) break
    }
    return claimed
  }
}
