import type { PaymentStatus } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import { hasOneOf } from '../payments/has-one-of.ts'
import { passing } from '../payments/listing/passing.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import { listedPayments } from './listed-payments.ts'
import { nearestBlock } from './nearest-blocks.ts'

interface CountedAll {
  /** The merchant's last payment. */
  last: number
  /** The last one that a block counts; 0 where there is none. */
  countedTo: number
  total: number
}

/**
 * What `countBetween` counts, of all of a merchant's payments, together with the run that they are: one statement where
 * there are two, for an engine that looks up each part as it is written and has no better way.
 */
export function countAll(
  database: Database,
): (merchantId: string, statuses: readonly PaymentStatus[]) => Promise<CountedAll> {
  const { builder, read, dialect } = database
  const form = prepareEach((statuses: readonly PaymentStatus[]) => (p: { merchantId: string }) => {
    const countedTo = sql<number>`coalesce(newest.up_to, 0)`
    const later = (status: PaymentStatus) =>
      sql<number>`(${passing(dialect, builder.selectFrom('payments'), { status: [status] }, p, null)
        .where('id', '>', countedTo)
        .select(sql<number>`count(*)`.as('n'))})`
    const named = listedPayments(database, p.merchantId, sql.ref<string>('newest.unresolved'))
    const parts: RawBuilder<number>[] = [
      sql<number>`(select count(*) from ${named} as named where ${hasOneOf(statuses)})`,
      ...statuses.map(later),
    ]
    if (statuses.includes('error')) parts.push(sql<number>`coalesce(newest.errors, 0)`)
    return builder
      .selectFrom('ledgers')
      .leftJoin(nearestBlock(builder, p.merchantId, 'newest', null).as('newest'), join => join.onTrue())
      .select(['last_payment_id as last', countedTo.as('counted_to')])
      .select(sql<number>`${sql.join(parts, sql` + `)}`.as('total'))
      .where('merchant_id', '=', p.merchantId)
  })

  return async (merchantId, statuses) => {
    const row = await read.first(form(statuses.join(' '), statuses)({ merchantId }))
    if (!row) return { last: 0, countedTo: 0, total: 0 }
    return { last: Number(row.last), countedTo: Number(row.counted_to), total: Number(row.total) }
  }
}
