import type { PaymentStatus } from '@tillkit/domain'
import { sql } from 'kysely'
import { countOf } from '../payments/listing/counting.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/statements/prepared.ts'
import { countListed } from './listed-payments.ts'
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
    const later = () => builder.selectFrom('payments').where('id', '>', countedTo)
    const parts = [
      countListed(database, p.merchantId, sql.ref<string>('newest.unresolved'), statuses),
      countOf(dialect, later, { status: [...statuses] }, p, null),
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
    const row = await (read.opening ?? read).first(form(statuses.join(' '), statuses)({ merchantId }))
    if (!row) return { last: 0, countedTo: 0, total: 0 }
    return { last: Number(row.last), countedTo: Number(row.counted_to), total: Number(row.total) }
  }
}
