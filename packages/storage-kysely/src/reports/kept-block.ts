import type { WireDate } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { type ReadDate, wireDateOf } from '../schema/dates.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'

/** A run of a merchant's payments of which it is kept for ever what they come to, but for those that are listed. */
export interface KeptBlock<Kept> extends IdRange {
  merchantId: string
  from: WireDate
  to: WireDate
  /** Those that were pending when it was written: they are not in what is kept. */
  unresolved: number[]
  kept: Kept
}

export interface KeptRow {
  merchant_id: string
  first_id: Whole
  last_id: Whole
  from: ReadDate
  to: ReadDate
  unresolved: string
  kept: string
}

/** What is kept of blocks: by all that a report tells apart, or by quarters of an hour. */
export type Keeps = 'totals' | 'takings'

export function keptColumns(dialect: Dialect, which: Keeps) {
  const column = (name: string) => sql.ref(`payment_sums.${name}`)
  return [
    sql<string>`${column('merchant_id')}`.as('merchant_id'),
    sql<Whole>`${column('first_id')}`.as('first_id'),
    sql<Whole>`${column('last_id')}`.as('last_id'),
    dialect.secondOf(column('first_date')).as('from'),
    dialect.secondOf(column('last_date')).as('to'),
    sql<string>`${column('unresolved')}`.as('unresolved'),
    dialect.jsonText(column(which)).as('kept'),
  ] as const
}

/**
 * True where a block's last payment is dated as it was when the block was written. Dates only change where a wrong clock's are
 * put right: those of a merchant's last payments then, each to an earlier one. So a block of which any has changed has its last one changed.
 */
export function isAsItWas({ builder }: Pick<Database, 'builder'>): RawBuilder<boolean> {
  const date = builder
    .selectFrom('payments')
    .select('payments.date')
    .where('payments.merchant_id', '=', sql.ref<string>('payment_sums.merchant_id'))
    .where('payments.id', '=', sql.ref<number>('payment_sums.last_id'))
  return sql<boolean>`${sql.ref('payment_sums.last_date')} = (${date})`
}

/** Blocks of rows, by their ids, and none that shares a payment with one before it. */
export function blocksOf<Kept>(rows: readonly KeptRow[]): KeptBlock<Kept>[] {
  const blocks: KeptBlock<Kept>[] = []
  const byId = rows.map(row => ({ row, first: Number(row.first_id), last: Number(row.last_id) }))
  byId.sort((a, b) => a.first - b.first || b.last - a.last)
  for (const { row, first, last } of byId) {
    if (first <= (blocks.at(-1)?.last ?? 0)) continue
    blocks.push({
      merchantId: row.merchant_id,
      first,
      last,
      from: wireDateOf(row.from),
      to: wireDateOf(row.to),
      unresolved: idsOf(row.unresolved),
      kept: JSON.parse(row.kept) as Kept,
    })
  }
  return blocks
}

const idsOf = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number))
