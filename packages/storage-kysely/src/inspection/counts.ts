import { after, wireDate } from '@tillkit/domain'
import { type InspectionRequest, PENDING_AGES, type StorageCounts } from '@tillkit/storage'
import { sql } from 'kysely'
import { walk } from '../schema/planner/walk.ts'
import type { Looking } from './looking.ts'

/** Later than any date that a payment has, a wrong clock's too. */
const LAST = '9999-12-31T23:59:59Z'

/** Counts what is pending or exhausted by the indexes that hold no more than that, and merchants one by one. */
export async function inspectCounts(
  { tables, dialect }: Looking,
  { now, webhookKeyPrefixes }: Pick<InspectionRequest, 'now' | 'webhookKeyPrefixes'>,
): Promise<StorageCounts> {
  const { within } = walk(dialect, 'pending')
  const total = sql<number>`count(*)`.as('total')
  const at = now === null ? new Date() : new Date(now)
  const pendingPayments = []
  for (const olderThanSeconds of PENDING_AGES) {
    // In the form that payments are dated in: SQLite compares texts.
    const until = olderThanSeconds === 0 ? LAST : wireDate(after(at, -olderThanSeconds))
    const query = tables
      .selectFrom('payments')
      .select(total)
      .where(within(dialect.time(until)))
    pendingPayments.push({ olderThanSeconds, count: Number((await query.executeTakeFirst())?.total) })
  }

  const damaged = await tables
    .selectFrom('deliveries')
    .select(total)
    .where(sql<boolean>`state = 'exhausted'`)
    .where('last_status', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('last_error', 'in', ['payment is gone', 'merchant is gone']),
        eb('last_error', 'like', '% cannot be read%'),
      ]),
    )
    .executeTakeFirst()

  const suspended = await tables
    .selectFrom('ledgers')
    .select(total)
    .where('suspended_at', 'is not', null)
    .executeTakeFirst()

  const keys = (prefix: string) =>
    tables
      .selectFrom('merchants')
      .select(total)
      .where(sql`substr(webhook_key, 1, ${sql.lit(prefix.length)})`, '=', prefix)
      .executeTakeFirst()
  const withPrefix = []
  for (const prefix of webhookKeyPrefixes) withPrefix.push(Number((await keys(prefix))?.total))
  const allKeys = await tables
    .selectFrom('merchants')
    .select(total)
    .where('webhook_key', 'is not', null)
    .executeTakeFirst()

  return {
    pendingPayments,
    damagedDeliveries: Number(damaged?.total),
    suspendedMerchants: Number(suspended?.total),
    webhookKeys: { total: Number(allKeys?.total), withPrefix },
  }
}
