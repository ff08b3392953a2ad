import type { Instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import { isSet } from '../../schema/is-set.ts'
import { hardlyAny } from '../../schema/planner/unforeseen.ts'
import { walk } from '../../schema/planner/walk.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import { prepareEach } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { claimedDelivery } from './claimed-delivery.ts'
import { MOST_AT_REST } from './most-at-rest.ts'
import { dueAt, passedOver } from './passed-over.ts'
import { unlessLeased } from './unless-leased.ts'

interface Parameters {
  now: string | null
  from: string
  leaseUntil: string
  limit: number
  except: string[]
  only: string
}

/** What a claim looks like: whether it is for one merchant alone, and whether it goes on where another ended. */
interface Form {
  ofOne: boolean
  goesOn: boolean
}

/** Keeps a lookup by key what it is, one for each row: no planner takes it for a join, and reads the table whole. */
function oneByOne<Query extends { offset(offset: RawBuilder<number>): Query }>(query: Query): Query {
  return query.offset(sql.lit(0))
}

/**
 * What is due is locked, leased and read with its payment and merchant in one round trip; others' locks are passed by.
 * What is due for a paused endpoint is put to rest in its stead, under a lock of the endpoint's row, so that none is left
 * behind by a wake beside it. Where another holds that row nobody waits: its deliveries stay due.
 */
export function claimInOneStatement(database: Database): DeliveryStore['claim'] {
  const { builder, write, dialect } = database
  const due = walk(dialect, 'due')
  const findPassed = passedOver(database)
  const claim = prepareEach(
    (form: Form) => (p: Parameters) =>
      builder
        .with('found', db =>
          db
            .selectFrom('deliveries')
            .select(['merchant_id', 'payment_id', 'next_attempt_at'])
            .where(form.goesOn ? due.between(p.from, dialect.orNow(p.now)) : due.upTo(dialect.orNow(p.now)))
            .where('merchant_id', '<>', sql<string>`all(${p.except}::text[])`)
            .$if(form.ofOne, query => query.where('merchant_id', '=', p.only))
            .orderBy(due.time)
            .limit(p.limit)
            .forUpdate()
            .skipLocked(),
        )
        // All of them, by a condition of which a planner expects little: so it looks each up, and reads no table whole.
        .with('due', db =>
          db
            .selectFrom('found')
            .leftJoinLateral(
              eb =>
                eb
                  .selectFrom('failing_endpoints')
                  .select(columnsOf(dialect, 'failing_endpoints', ['failing_since']))
                  .select(sql<boolean>`paused_at is not null`.as('is_paused'))
                  .whereRef('failing_endpoints.merchant_id', '=', 'found.merchant_id')
                  .$call(oneByOne)
                  .as('endpoint'),
              join => join.onTrue(),
            )
            .selectAll('found')
            .select([
              'endpoint.failing_since',
              sql<boolean>`coalesce(endpoint.is_paused, false)`.as('is_paused'),
            ])
            .where(hardlyAny(dialect, sql.ref('payment_id'))),
        )
        // Those that another holds are not in it: they stay due.
        .with('held', db =>
          db
            .selectFrom(
              db
                .selectFrom('due')
                .select('merchant_id')
                .distinct()
                .where(eb => eb.ref('is_paused'))
                .as('shut'),
            )
            .innerJoinLateral(
              eb =>
                eb
                  .selectFrom('failing_endpoints')
                  .select('failing_endpoints.merchant_id')
                  .whereRef('failing_endpoints.merchant_id', '=', 'shut.merchant_id')
                  .where('paused_at', 'is not', null)
                  .forNoKeyUpdate()
                  .skipLocked()
                  .as('free'),
              join => join.onTrue(),
            )
            .select('free.merchant_id'),
        )
        // Written as it is: whoever wakes it by an older snapshot, in which nothing rests yet, is refused.
        .with('paused', db =>
          db
            .updateTable('failing_endpoints')
            .from('held')
            .set({ paused_at: sql.ref('failing_endpoints.paused_at') })
            .whereRef('failing_endpoints.merchant_id', '=', 'held.merchant_id')
            .returning('failing_endpoints.merchant_id'),
        )
        .with('leased', db =>
          db
            .updateTable('deliveries')
            .from('due')
            .leftJoin('paused', 'paused.merchant_id', 'due.merchant_id')
            .set({
              next_attempt_at: sql<string>`case when paused.merchant_id is not null then null
              when due.is_paused then ${sql.ref('deliveries.next_attempt_at')}
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
              'deliveries.traceparent as traceparent',
              'deliveries.next_attempt_at as next_at',
              'due.next_attempt_at as due_at',
              'due.failing_since as failing_since',
              'due.is_paused as rests',
              sql<boolean>`due.is_paused and paused.merchant_id is null`.as('passed_by'),
            ]),
        )
        .selectFrom('leased')
        .leftJoinLateral(
          eb =>
            eb
              .selectFrom('payments')
              .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
              .whereRef('payments.merchant_id', '=', 'leased.merchant_id')
              .whereRef('payments.id', '=', 'leased.payment_id')
              .$call(oneByOne)
              .as('payment'),
          join => join.onTrue(),
        )
        .leftJoinLateral(
          eb =>
            eb
              .selectFrom('merchants')
              .select(['merchants.id as known_merchant', 'merchants.webhook_url'])
              .select(webhookKeyColumns({ dialect }))
              .whereRef('merchants.id', '=', 'leased.merchant_id')
              .$call(oneByOne)
              .as('merchant'),
          join => join.onTrue(),
        )
        .selectAll(['payment', 'merchant'])
        .select(['leased.merchant_id as held_merchant', 'leased.payment_id as held_payment'])
        .select([
          'leased.attempts',
          'leased.fence',
          'leased.traceparent',
          'leased.failing_since',
          'leased.rests',
          'leased.passed_by',
          dialect.timeOf(sql.ref('leased.due_at')).as('due_at'),
        ])
        // A trigger may have written it as it was: then it is still due, and nobody's.
        .where(sql<SqlBool>`leased.rests or leased.next_at <> leased.due_at`)
        .orderBy('leased.due_at'),
  )

  return async request => {
    const { now, leaseUntil, limit, exceptMerchants = [], onlyMerchant } = request
    if (onlyMerchant?.includes('\0')) return []
    const ofOne = onlyMerchant !== undefined
    const except = new Set(exceptMerchants.filter(merchantId => !merchantId.includes('\0')))
    const passed = await findPassed(request)
    const claimed: ClaimedDelivery[] = []
    let last: Instant | undefined
    let rested = 0
    while (claimed.length < limit) {
      const from = last || passed.from(except)
      const goesOn = from !== undefined
      const wanted = limit - claimed.length
      const query = claim(`${ofOne} ${goesOn}`, { ofOne, goesOn })({
        now: givenTime(dialect, now),
        from: goesOn ? dialect.time(from) : '',
        leaseUntil: dialect.time(leaseUntil),
        limit: wanted,
        except: [...except],
        only: onlyMerchant ?? '',
      })
      const once = { statement: true, repeatable: true, skipsLocked: true }
      const step = write(session => session.all(query), once)
      const rows = await unlessLeased(step, claimed)
      if (!rows) return claimed
      const resting = rows.filter(row => isSet(row.rests)).length
      rested += resting
      for (const row of rows) {
        const rests = isSet(row.rests)
        if (isSet(row.passed_by) || (rests && rested >= MOST_AT_REST)) except.add(row.held_merchant)
        if (rests) continue
        const held = {
          merchantId: row.held_merchant,
          paymentId: Number(row.held_payment),
          attempts: Number(row.attempts),
          fence: Number(row.fence),
          traceparent: row.traceparent,
        }
        claimed.push(claimedDelivery(held, row))
      }
      last = rows.length < wanted ? undefined : dueAt(rows.at(-1)?.due_at)
      if (resting === 0) break
    }
    passed.went(except, last)
    return claimed
  }
}
