import { EXACT_FILTERS, type PaymentFilter } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { blockCounter } from '../counts/block-counter.ts'
import { countWithBlocks } from '../counts/count-with-blocks.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import { countedSide, countOf, usesBlocks } from './counting.ts'
import { type RangeParameters, type RangeShape, rangeEnds, rangeParameters, rangeShape } from './id-range.ts'
import { endOf, type PageParameters, pageSource } from './pages.ts'
import { formOf, withoutDates } from './passing.ts'

type Parameters = RangeParameters & PageParameters

interface Shape {
  range: RangeShape
  filter: PaymentFilter
}

const ENDS = { first: sql.ref<number>('ends.first'), last: sql.ref<number>('ends.last') }

/** The run of ids, the count where arithmetic does not give it, and the page, in one round trip. */
export function listInOneStatement(database: Database): PaymentStore['list'] {
  const { builder, read, dialect } = database
  const countAhead = blockCounter(database)

  const form = prepareEach(({ range, filter }: Shape) => (p: Parameters) => {
    const filtered = Object.keys(filter).length > 0
    // Without filters a page is a run of ids itself, however deep it lies; with them, those before it are passed over.
    const ends = filtered ? ENDS : { ...ENDS, last: sql<number>`${ENDS.last} - ${p.skip}` }
    const exact = EXACT_FILTERS.some(name => filter[name] !== undefined)
    const found = exact && !range.since && !range.before ? null : ends
    return builder
      .with(
        cte => cte('ends').materialized(),
        db => rangeEnds(db, range, p),
      )
      .with(
        cte => cte('counted').materialized(),
        db =>
          usesBlocks(filter)
            ? countWithBlocks(database, db, countedSide(filter).counted.status ?? [], p, range.since)
            : db
                .selectFrom('ends')
                .select(eb =>
                  (filtered
                    ? countOf(() => eb.selectFrom('payments'), countedSide(filter).counted, p, found)
                    : sql<number>`0`
                  ).as('total'),
                )
                .select(sql<number | null>`null::bigint`.as('counted_to')),
      )
      .selectFrom(['ends', 'counted'])
      .leftJoinLateral(
        eb =>
          eb
            .selectFrom(pageSource(eb, filter, p, found).as('source'))
            .selectAll()
            .orderBy('source.id', 'desc')
            .limit(p.limit)
            .offset(filtered ? p.skip : sql.lit(0))
            .as('page'),
        join => join.onTrue(),
      )
      .select(['ends.first as range_first', 'ends.last as range_last', 'counted.total', 'counted.counted_to'])
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
      .orderBy('page.id', 'desc')
  })

  return async (merchantId, filter, slice) => {
    const range = rangeShape(filter)
    const rest = withoutDates(filter)
    const query = form(`${range.since} ${range.before} ${formOf(rest)}`, { range, filter: rest })
    const rows = await read.all(
      query({
        ...{ ...rest, ...slice, end: endOf(slice) },
        ...rangeParameters(database, merchantId, filter),
      }),
    )
    const [first] = rows
    if (!first) return { items: [], total: 0 }
    const items = rows.filter(row => row.id !== null).map(row => toPayment(row as PaymentRow))
    const size = Math.max(0, Number(first.range_last) - Number(first.range_first) + 1)
    if (Object.keys(rest).length === 0) return { items, total: size }
    if (usesBlocks(rest)) {
      countAhead(
        merchantId,
        Number(first.range_last) - Number(first.counted_to ?? Number(first.range_first) - 1),
      )
    }
    const counted = Number(first.total)
    return { items, total: countedSide(rest).fails ? size - counted : counted }
  }
}
