import { DELIVERY_STATES, type DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { forced } from '../schema/planner/along.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import { toDelivery } from '../schema/rows/readable-delivery.ts'
import { DELIVERY_COLUMNS } from '../schema/rows/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/statements/prepared.ts'
import { isIn } from './is-in.ts'

interface Parameters {
  merchantId: string
  skip: number
  limit: number
}

/** Deliveries of one state, or of any. */
type Wanted = DeliveryState | undefined

export function listDeliveries({ builder, read, dialect }: Database): DeliveryStore['list'] {
  const columns = columnsOf(dialect, 'deliveries', DELIVERY_COLUMNS, 'delivery')
  const all = builder.selectFrom('deliveries as delivery')
  // By statistics of another day MariaDB would go along the key, past all that is of another state. Told to leave the key out, it counts
  // by reading the table whole: in a session that has read a page, it no longer knows that an index has all that a count needs.
  const byState = dialect.partialIndexes
    ? all
    : builder.selectFrom(
        sql<Tables['deliveries']>`${sql.table('deliveries')}`.as<'delivery'>(
          sql`delivery ${forced('states')}`,
        ),
      )
  const matching = (state: Wanted, { merchantId }: Parameters) =>
    state === undefined
      ? all.where('merchant_id', '=', merchantId)
      : byState.where('merchant_id', '=', merchantId).where(isIn(dialect, state))
  const counted = (query: ReturnType<typeof matching>) => query.select(sql<Whole>`count(*)`.as('total'))
  const countForm = prepareEach((state: Wanted) => (p: Parameters) => counted(matching(state, p)))
  const sliceForm = prepareEach(
    (state: Wanted) => (p: Parameters) =>
      matching(state, p).select(columns).orderBy('payment_id', 'desc').limit(p.limit).offset(p.skip),
  )

  const totalIn = async (state: Wanted, parameters: Parameters) =>
    Number((await read.first(countForm(state ?? 'any', state)(parameters)))?.total ?? 0)

  /** Where no index has what is delivered: all but the rest, of which no row is read. */
  const totalDelivered = async (parameters: Parameters) => {
    let total = await totalIn(undefined, parameters)
    for (const state of DELIVERY_STATES) {
      if (state !== 'delivered') total -= await totalIn(state, parameters)
    }
    return Math.max(total, 0)
  }

  return async (merchantId, state, slice) => {
    const parameters = { merchantId, ...slice }
    const total =
      state === 'delivered' && dialect.partialIndexes
        ? await totalDelivered(parameters)
        : await totalIn(state, parameters)
    const rows = slice.skip < total ? await read.all(sliceForm(state ?? 'any', state)(parameters)) : []
    return { items: rows.map(toDelivery), total }
  }
}
