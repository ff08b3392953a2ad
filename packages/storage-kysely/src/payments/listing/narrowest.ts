import type { PaymentFilter } from '@tillkit/domain'
import { sql } from 'kysely'
import { idBlock } from '../../schema/id-block.ts'
import { along, notForOrder } from '../../schema/planner/along.ts'
import type { Database } from '../../session/database.ts'
import { prepareEach } from '../../session/statements/prepared.ts'
import {
  formOf,
  hasExact,
  type Narrow,
  narrowOf,
  type PaymentQuery,
  passing,
  type Search,
  type Values,
} from './passing.ts'

/** So many of each are looked at first: where one of them has fewer, that was little. If not, so many more, and more again. */
const LOOKS = [250, 4000, 64_000]

type Parameters = Values & { most: number }

/** How many pass each, as far as they were looked at. */
type Found = Partial<Record<Narrow, number | string>>

/**
 * Which of several filters to look for payments by: the one that the fewest pass, whatever a planner takes each for. They are
 * looked at side by side until one of them ends, so that it costs little beside what that one has, however many pass the
 * others; of those that more than 64,000 pass each the first will do. Of one filter alone nothing is asked.
 */
export function narrowest(
  database: Database,
): (merchantId: string, filter: PaymentFilter) => Search | Promise<Search> {
  const { builder, dialect, read } = database
  const look = prepareEach((filter: PaymentFilter) => (p: Parameters) => {
    // Told an order that only the one index has, no planner takes the key or the table itself for as good.
    const some = (one: PaymentFilter) => {
      const exact = hasExact(one)
      const hinted = exact ? notForOrder() : along('statuses')
      const payments = dialect.name === 'mysql' ? builder.selectFrom(hinted) : builder.selectFrom('payments')
      const found = passing(dialect, payments as PaymentQuery, one, p, null)
        .select(sql.lit(1).as('found'))
        .orderBy(exact && dialect.name === 'postgres' ? idBlock() : sql.ref('id'), 'desc')
        .limit(p.most)
      return sql<number>`(select count(*) from ${found} as found)`
    }
    const countOf = (one: Narrow) =>
      one === 'status'
        ? sql<number>`${sql.join(
            (filter.status ?? []).map(status => some({ status: [status] })),
            sql` + `,
          )}`
        : some({ [one]: filter[one] })
    return builder
      .selectFrom('ledgers')
      .select(narrowOf(filter).map(one => countOf(one).as(one)))
      .where('merchant_id', '=', p.merchantId)
  })

  async function narrowed(merchantId: string, filter: PaymentFilter, all: Narrow[]): Promise<Search> {
    const query = look(formOf(filter), filter)
    let by: Narrow | undefined
    for (const most of LOOKS) {
      const found: Found = (await read.first(query({ ...filter, merchantId, most }))) ?? {}
      const countOf = (one: Narrow) => Number(found[one] ?? 0)
      by = all.reduce((least, one) => (countOf(one) < countOf(least) ? one : least))
      if (countOf(by) < most) break
    }
    return { ...filter, by }
  }

  return (merchantId, filter) => {
    const all = narrowOf(filter)
    return all.length > 1 ? narrowed(merchantId, filter, all) : filter
  }
}
