import type { PaymentStatus } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import { paddedList } from '../deliveries/padded-list.ts'
import { hasOneOf } from '../payments/has-one-of.ts'
import type { IdRange } from '../payments/id-range.ts'
import { type Ends, passing } from '../payments/passing.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import { NOTHING_COUNTED } from './counted-block.ts'
import type { NearestBlocks } from './nearest-blocks.ts'

interface Shape {
  statuses: readonly PaymentStatus[]
  since: boolean
  /** How many ids there are to look at, of the newest block's and of the oldest one's. */
  late: number
  early: number
}

type Parameters = IdRange & { merchantId: string; oldest: number; afterNewest: number } & Record<
    `late${number}` | `early${number}`,
    string
  >

/**
 * How many of the payments in a run of ids are pending or failed, with what the blocks in it say: what came after the last
 * one is counted, what came before the first, and those that had no outcome when they were written; all by one statement,
 * so that no payment changes in between.
 */
export function countBetween({
  builder,
  read,
}: Database): (
  merchantId: string,
  range: IdRange,
  statuses: readonly PaymentStatus[],
  blocks: NearestBlocks,
) => Promise<number> {
  const form = prepareEach(({ statuses, since, late, early }: Shape) => (p: Parameters) => {
    const count = (status: PaymentStatus, ends: Ends) =>
      sql`(${passing(builder.selectFrom('payments'), { status: [status] }, p, ends).select(sql<number>`count(*)`.as('n'))})`
    const failed = (name: 'late' | 'early', width: number) =>
      sql`(${builder
        .selectFrom('payments')
        .select(sql<number>`count(*)`.as('n'))
        .where('merchant_id', '=', p.merchantId)
        .where(
          'id',
          'in',
          Array.from({ length: width }, (_, n) => sql<number>`${p[`${name}${n}`]}`),
        )
        .where(hasOneOf(['error']))})`
    const parts: RawBuilder<unknown>[] = statuses
      .filter(status => status !== 'error')
      .map(status => count(status, { first: sql`${p.first}`, last: sql`${p.last}` }))
    if (statuses.includes('error')) {
      parts.push(count('error', { first: sql`${p.afterNewest}`, last: sql`${p.last}` }))
      if (since) parts.push(count('error', { first: sql`${p.first}`, last: sql`${p.oldest}` }))
      if (late > 0) parts.push(failed('late', late))
      if (early > 0) parts.push(sql`-${failed('early', early)}`)
    }
    return builder.selectNoFrom(sql<number>`${sql.join(parts, sql` + `)}`.as('total'))
  })

  return async (merchantId, range, statuses, { oldest, newest }) => {
    // Those that both name count for nothing.
    const late = paddedList('late', idsBut(newest.unresolved, oldest.unresolved))
    const early = paddedList('early', idsBut(oldest.unresolved, newest.unresolved))
    const since = oldest !== NOTHING_COUNTED
    const shape = { statuses, since, late: late.width, early: early.width }
    const query = form(`${statuses.join(' ')} ${since} ${late.width} ${early.width}`, shape)
    const row = await read.first(
      query({
        ...{ ...late.parameters, ...early.parameters, ...range, merchantId },
        oldest: oldest.upTo,
        afterNewest: newest.upTo + 1,
      }),
    )
    const counted = statuses.includes('error') ? newest.errors - oldest.errors : 0
    return Number(row?.total ?? 0) + counted
  }
}

function idsBut(ids: number[], others: number[]): string[] {
  return ids.filter(id => !others.includes(id)).map(String)
}
