import type { CashUpStore } from '@tillkit/storage'
import { columnsOf } from '../schema/columns.ts'
import { CASH_UP_COLUMNS, toCashUp } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function listCashUps({ builder, read, dialect }: Database): CashUpStore['list'] {
  // Numbers have no gap: a page is a run of them below the last one, which the ledger knows.
  const findPage = prepare((p: { merchantId: string; skip: number; beyond: number }) =>
    builder
      .selectFrom('ledgers')
      .leftJoin('cash_ups', join =>
        join
          .onRef('cash_ups.merchant_id', '=', 'ledgers.merchant_id')
          .on(eb => eb('cash_ups.number', '<=', eb('ledgers.last_cash_up_number', '-', p.skip)))
          .on(eb => eb('cash_ups.number', '>', eb('ledgers.last_cash_up_number', '-', p.beyond))),
      )
      .select('ledgers.last_cash_up_number as total')
      .select(columnsOf(dialect, 'cash_ups', CASH_UP_COLUMNS))
      .where('ledgers.merchant_id', '=', p.merchantId)
      .orderBy('cash_ups.number', 'desc'),
  )

  return async (merchantId, { skip, limit }) => {
    const rows = await read.all(findPage({ merchantId, skip, beyond: skip + limit }))
    const items = rows.flatMap(({ date, reference }) =>
      date === null || reference === null ? [] : [toCashUp({ date, reference })],
    )
    return { items, total: Number(rows[0]?.total ?? 0) }
  }
}
