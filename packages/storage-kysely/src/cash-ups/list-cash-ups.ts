import type { CashUpStore } from '@tillkit/storage'
import { columnsOf } from '../schema/columns.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import { CASH_UP_COLUMNS, toCashUp } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'

type Row = [...([date: string, reference: string] | [date: null, reference: null]), total: Whole]

interface Parameters {
  merchantId: string
  skip: number
  beyond: number
}

export function listCashUps(database: Database): CashUpStore['list'] {
  const { read, dialect } = database
  const findPage = prepareArrays<Parameters, Row>(p =>
    dialect.composes ? pageBesideLedger(database, p) : pageJoined(database, p),
  )

  return async (merchantId, { skip, limit }) => {
    const rows = await read.all(findPage({ merchantId, skip, beyond: skip + limit }))
    const items = rows.flatMap(([date, reference]) => (date === null ? [] : [toCashUp({ date, reference })]))
    return { items, total: Number(rows[0]?.[CASH_UP_COLUMNS.length] ?? 0) }
  }
}

/** Numbers have no gap: a page is a run of them below the last one, which the ledger knows. */
function pageJoined({ builder, dialect }: Database, p: Parameters) {
  return builder
    .selectFrom('ledgers')
    .leftJoin('cash_ups', join =>
      join
        .onRef('cash_ups.merchant_id', '=', 'ledgers.merchant_id')
        .on(eb => eb('cash_ups.number', '<=', eb('ledgers.last_cash_up_number', '-', p.skip)))
        .on(eb => eb('cash_ups.number', '>', eb('ledgers.last_cash_up_number', '-', p.beyond))),
    )
    .select(columnsOf(dialect, 'cash_ups', CASH_UP_COLUMNS))
    .select('ledgers.last_cash_up_number as total')
    .where('ledgers.merchant_id', '=', p.merchantId)
    .orderBy('cash_ups.number', 'desc')
}

/** The same in the order of the key: of a join with few rows as it expects, a planner takes any index of the merchant's. */
function pageBesideLedger({ builder, dialect }: Database, p: Parameters) {
  return builder
    .selectFrom('ledgers')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('cash_ups')
          .selectAll('cash_ups')
          .where('cash_ups.merchant_id', '=', p.merchantId)
          .where(({ eb }) => eb('cash_ups.number', '<=', eb('ledgers.last_cash_up_number', '-', p.skip)))
          .where(({ eb }) => eb('cash_ups.number', '>', eb('ledgers.last_cash_up_number', '-', p.beyond)))
          .orderBy('cash_ups.number', 'desc')
          .limit(unforeseen(dialect, p.beyond))
          .as('page'),
      join => join.onTrue(),
    )
    .select(columnsOf(dialect, 'cash_ups', CASH_UP_COLUMNS, 'page'))
    .select('ledgers.last_cash_up_number as total')
    .where('ledgers.merchant_id', '=', p.merchantId)
    .orderBy('page.number', 'desc')
}
