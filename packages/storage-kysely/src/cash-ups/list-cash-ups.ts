import type { CashUpStore } from '@tillkit/storage'
import { columnsOf } from '../schema/columns.ts'
import { CASH_UP_COLUMNS, toCashUp } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function listCashUps({ builder, read, dialect }: Database): CashUpStore['list'] {
  const findTotal = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('ledgers')
      .select('last_cash_up_number as total')
      .where('merchant_id', '=', p.merchantId),
  )
  const findRun = prepare((p: { merchantId: string; first: number; last: number }) =>
    builder
      .selectFrom('cash_ups')
      .select(columnsOf(dialect, 'cash_ups', CASH_UP_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('number', '>=', p.first)
      .where('number', '<=', p.last)
      .orderBy('number', 'desc'),
  )

  return async (merchantId, { skip, limit }) => {
    const total = Number((await read.first(findTotal({ merchantId })))?.total ?? 0)
    const last = total - skip
    if (last < 1) return { items: [], total }
    const rows = await read.all(findRun({ merchantId, first: Math.max(1, last - limit + 1), last }))
    return { items: rows.map(toCashUp), total }
  }
}
