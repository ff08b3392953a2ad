import type { DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { endOf } from '../payments/pages.ts'
import { columnsOf } from '../schema/columns.ts'
import { BLOCK, BLOCK_OF_SOURCE, blocksOf, idBlock } from '../schema/id-block.ts'
import { toDelivery } from '../schema/readable-delivery.ts'
import { DELIVERY_COLUMNS } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'

interface Parameters {
  merchantId: string
  state: DeliveryState
  skip: number
  limit: number
  /** How many lie before the end of the slice. */
  end: number
}

export function listDeliveries({ builder, read, dialect }: Database): DeliveryStore['list'] {
  const columns = columnsOf(dialect, 'deliveries', DELIVERY_COLUMNS)
  const matching = (byState: boolean, p: Parameters) =>
    builder
      .selectFrom('deliveries')
      .where('merchant_id', '=', p.merchantId)
      .$if(byState, query => query.where('state', '=', p.state))
  const countForm = prepareEach(
    (byState: boolean) => (p: Parameters) =>
      matching(byState, p).select(eb => eb.fn.countAll<number>().as('total')),
  )
  /** The index of states holds blocks of ids on PostgreSQL: those that hold as many as the slice may need. */
  const inBlocks = (p: Parameters) =>
    builder
      .selectFrom(
        matching(true, p)
          .selectAll()
          .select(idBlock(sql.ref('payment_id')).as(BLOCK))
          .orderBy(idBlock(sql.ref('payment_id')), 'desc')
          .modifyEnd(blocksOf(p.end))
          .as('source'),
      )
      .select(columnsOf(dialect, 'deliveries', DELIVERY_COLUMNS, 'source'))
      .orderBy(BLOCK_OF_SOURCE, 'desc')
  const sliceForm = prepareEach((byState: boolean) => (p: Parameters) => {
    const blocks = byState && dialect.name === 'postgres'
    const matches = blocks
      ? inBlocks(p)
      : (matching(byState, p).select(columns) as ReturnType<typeof inBlocks>)
    return matches.orderBy('payment_id', 'desc').limit(p.limit).offset(p.skip)
  })

  return async (merchantId, state, slice) => {
    const byState = state !== undefined
    const parameters = { merchantId, state: state ?? 'pending', ...slice, end: endOf(slice) }
    const form = byState ? 'of one state' : 'of any'
    const total = Number((await read.first(countForm(form, byState)(parameters)))?.total ?? 0)
    const rows = slice.skip < total ? await read.all(sliceForm(form, byState)(parameters)) : []
    return { items: rows.map(toDelivery), total }
  }
}
