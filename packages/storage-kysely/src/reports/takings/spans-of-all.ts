import type { WireDate } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Whole } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { blocksOf, isAsItWas, type KeptRow, keptColumns } from '../kept-block.ts'
import type { Ends, Span } from './span.ts'
import type { KeptTakings } from './step-sums.ts'

/**
 * Where the payments of all merchants between two dates are: of those that have had a payment or a cash up since the first one.
 * It looks at each merchant's row, and at an entry of an index for each block, whatever the dates are.
 */
export function spansOfAll(database: Database): (ends: Ends) => Promise<Span[]> {
  const { builder, read, dialect } = database
  const findSince = merchantsSince(database)
  const findBlocks = prepare((p: Ends) =>
    builder
      .selectFrom('payment_sums')
      .select(keptColumns(dialect, 'takings'))
      .where('payment_sums.last_date', '>=', p.from)
      .where('payment_sums.first_date', '<', p.to)
      .where(isAsItWas(database)),
  )
  // Whoever is dated before has not been dated later since: a date that is put right becomes an earlier one.
  const findPassed = prepare((p: { from: string }) =>
    builder
      .selectFrom('payment_sums')
      .select('payment_sums.merchant_id')
      .select(sql<Whole>`max(${sql.ref('payment_sums.last_id')})`.as('last'))
      .where('payment_sums.last_date', '<', p.from)
      .groupBy('payment_sums.merchant_id'),
  )

  return async ({ from, to }) => {
    const p = { from: dialect.time(from), to: dialect.time(to) }
    const blocks = Map.groupBy((await read.all(findBlocks(p))) as KeptRow[], row => row.merchant_id)
    const passed = new Map((await read.all(findPassed(p))).map(row => [row.merchant_id, row.last]))
    return (await findSince(from)).map(({ merchantId, last }) => ({
      merchantId,
      blocks: blocksOf<KeptTakings>(blocks.get(merchantId) ?? []),
      first: Number(passed.get(merchantId) ?? 0) + 1,
      last,
    }))
  }
}

/** The merchants that have had a payment or a cash up since, and their last payments. */
export function merchantsSince({
  builder,
  read,
  dialect,
}: Database): (from: WireDate) => Promise<{ merchantId: string; last: number }[]> {
  const find = prepare((p: { from: string }) =>
    builder
      .selectFrom('ledgers')
      .select(['merchant_id', 'last_payment_id as last'])
      .where('last_date', '>=', p.from)
      .where('last_payment_id', '>', 0),
  )
  return async from => {
    const rows = await read.all(find({ from: dialect.time(from) }))
    return rows.map(({ merchant_id, last }) => ({ merchantId: merchant_id, last: Number(last) }))
  }
}
