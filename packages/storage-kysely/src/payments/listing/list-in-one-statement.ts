import type { PaymentFilter } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { type QueryCreator, sql } from 'kysely'
import { blockCounter } from '../../counts/block-counter.ts'
import { countWithBlocks } from '../../counts/count-with-blocks.ts'
import { columnsOf } from '../../schema/columns.ts'
import { BLOCK_OF_SOURCE } from '../../schema/id-block.ts'
import { unforeseen } from '../../schema/planner/unforeseen.ts'
import {
  BESIDE_PAYMENT,
  type NoPaymentRow,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Whole,
} from '../../schema/rows/payment-row.ts'
import { paymentsOf } from '../../schema/rows/to-payment.ts'
import type { Tables } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import { prepareArraysEach } from '../../session/statements/prepared.ts'
import { countedSide, countOf, usesBlocks } from './counting.ts'
import {
  idRange,
  NO_IDS,
  type RangeParameters,
  type RangeShape,
  rangeEnds,
  rangeParameters,
  rangeShape,
} from './id-range.ts'
import { narrowest } from './narrowest.ts'
import { endOf, type PageParameters, pageSource } from './pages.ts'
import { formOf, isByExact, passing, type Search, withoutDates } from './passing.ts'

type Parameters = RangeParameters & PageParameters

/** How many pass, and how many of them no block counts, stand in rows, as one statement has no other place for them. */
type Row = [...(PaymentRow | NoPaymentRow), total: Whole | null, uncounted?: Whole]

interface Shape {
  range: RangeShape
  filter: Search
}

/** What a query can take a run of ids from. */
type WithEnds = Tables & { ends: { first: number; last: number } }

const [FIRST, LAST] = [sql.ref<number>('ends.first'), sql.ref<number>('ends.last')]
const ENDS = { first: FIRST, last: LAST }
const SIZE = sql<number>`greatest(0, ${LAST} - ${FIRST} + 1)`

/** The run of ids, the count where arithmetic does not give it, and the page, in one round trip. */
export function listInOneStatement(database: Database): PaymentStore['list'] {
  const { read } = database
  const countAhead = blockCounter(database)
  const findRange = idRange(database)
  const searchOf = narrowest(database)
  const form = prepareArraysEach<Shape, Parameters, Row>(
    ({ range, filter }) =>
      p =>
        Object.keys(filter).length === 0
          ? pageByArithmetic(database, range, p)
          : pageOfMatching(database, { range, filter }, p),
  )

  /** Asked where a payment that a page begins with is gone, by a hand that is not Tillkit's, and so the row that tells. */
  async function lengthOf(merchantId: string, filter: PaymentFilter): Promise<number> {
    const { first, last } = (await findRange(merchantId, filter)) ?? NO_IDS
    return Math.max(0, last - first + 1)
  }

  return async (merchantId, filter, slice) => {
    const range = rangeShape(filter)
    const rest = await searchOf(merchantId, withoutDates(filter))
    const query = form(`${range.since} ${range.before} ${formOf(rest)}`, { range, filter: rest })
    const rows = await read.all(
      query({
        ...{ ...rest, ...slice, end: endOf(slice) },
        ...rangeParameters(database, merchantId, filter),
      }),
    )
    const [first] = rows
    if (!first) return { items: [], total: 0 }
    const uncounted = first[BESIDE_PAYMENT + 1]
    if (uncounted !== undefined) countAhead(merchantId, Number(uncounted))
    const total = rows.find(row => row[BESIDE_PAYMENT] !== null)?.[BESIDE_PAYMENT]
    return {
      items: paymentsOf(merchantId, rows),
      total: Number(total ?? (await lengthOf(merchantId, filter))),
    }
  }
}

/**
 * Without filters a page is a run of ids itself, however deep it lies, and its end is known without those before it. Its first
 * row alone tells how long the run is: in fifty it is half a kilobyte, which the server sends in a second piece.
 */
function pageByArithmetic({ builder, dialect }: Database, range: RangeShape, p: Parameters) {
  const last = sql<number>`${LAST} - ${p.skip}`
  return builder
    .selectFrom(rangeEnds(dialect, builder, range, p).as('ends'))
    .leftJoinLateral(
      eb =>
        passing(dialect, eb.selectFrom('payments'), {}, p, { first: FIRST, last })
          .selectAll('payments')
          .orderBy('payments.id', 'desc')
          .limit(p.limit)
          .as('page'),
      join => join.onTrue(),
    )
    .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
    .select(
      sql<number | null>`case when ${sql.ref('page.id')} < ${last} then null else ${SIZE} end`.as('total'),
    )
}

function pageOfMatching(database: Database, { range, filter }: Shape, p: Parameters) {
  const { builder, dialect } = database
  const exact = isByExact(filter)
  const found = exact && !range.since && !range.before ? null : ENDS
  const { counted, fails } = countedSide(filter)
  const byBlocks = usesBlocks(filter)
  const count = (db: QueryCreator<WithEnds>) =>
    byBlocks
      ? countWithBlocks(database, db, counted.status ?? [], p, range.since)
      : db
          .selectFrom('ends')
          .select(eb => countOf(dialect, () => eb.selectFrom('payments'), counted, p, found).as('total'))
          .select(sql<number | null>`null::bigint`.as('counted_to'))
  const total = sql<number>`${fails ? sql`${SIZE} - ` : sql``}${sql.ref('counted.total')}`
  // No more than there are: past the end none is looked for. Not shown to the planner, which would sort all that pass for a page as long.
  const left = sql<number>`least(${p.limit}::bigint, greatest(0, ${total} - ${p.skip}::bigint))`
  return builder
    .with(
      cte => cte('ends').materialized(),
      db => rangeEnds(dialect, db, range, p),
    )
    .with(
      cte => cte('counted').materialized(),
      db => count(db as unknown as QueryCreator<WithEnds>),
    )
    .selectFrom(['ends', 'counted'])
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom(pageSource(dialect, eb, filter, p, found).as('source'))
          .selectAll()
          .$if(exact, query => query.orderBy(BLOCK_OF_SOURCE, 'desc'))
          .orderBy('source.id', 'desc')
          .limit(left)
          .offset(unforeseen(dialect, p.skip))
          .as('page'),
      join => join.onTrue(),
    )
    .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'page'))
    .select(total.as('total'))
    .$if(byBlocks, query =>
      query.select(
        sql<number>`${LAST} - coalesce(${sql.ref('counted.counted_to')}, ${FIRST} - 1)`.as('uncounted'),
      ),
    )
}
