import type { Payment } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type CompiledQuery, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepareArrays, prepareArraysEach } from '../session/statements/prepared.ts'

/** A run of ids of one merchant. */
export interface Run extends IdRange {
  merchantId: string
}

export type RunRow = [...PaymentRow, merchantId: string]
type Parameters = Record<string, string | number>
type Ways = Pick<Database, 'builder' | 'dialect'>

const SUMMED = PAYMENT_COLUMNS.filter(name => name !== 'extra')

/** Nobody's run, that fills up a statement. */
const NOTHING: Run = { merchantId: '', first: 1, last: 0 }

/** The payments of some runs, in no order, without their `extra`: no sum is made of it, and it may be long. */
export function runsQuery(database: Ways): (runs: readonly Run[]) => CompiledQuery<RunRow> {
  const form = prepareArraysEach<number, Parameters, RunRow>(width => p => {
    let query = runOf(database, p, 0)
    for (let n = 1; n < width; n++) query = query.unionAll(runOf(database, p, n))
    return query
  })

  return runs => {
    const width = 2 ** Math.ceil(Math.log2(runs.length))
    const parameters: Parameters = {}
    for (let n = 0; n < width; n++) Object.assign(parameters, numbered(runs[n] ?? NOTHING, n))
    return form(`${width}`, width)(parameters)
  }
}

/** The same of one run, as it is by now: see `currentRead`. */
export function runNowQuery(database: Ways & Pick<Database, 'ofHost'>): (run: Run) => CompiledQuery<RunRow> {
  const form = prepareArrays<Parameters, RunRow>(p => currentRead(database, runOf(database, p, 0)))
  return run => form(numbered(run, 0))
}

function runOf({ builder, dialect }: Ways, p: Parameters, n: number) {
  return builder
    .selectFrom('payments')
    .select(columnsOf(dialect, 'payments', SUMMED))
    .select(sql<string>`'{}'`.as('extra'))
    .select('payments.merchant_id')
    .where('payments.merchant_id', '=', p[`merchant${n}`] as string)
    .where('payments.id', '>=', unforeseen(dialect, p[`first${n}`] as number))
    .where('payments.id', '<=', unforeseen(dialect, p[`last${n}`] as number))
}

const numbered = ({ merchantId, first, last }: Run, n: number): Parameters => ({
  [`merchant${n}`]: merchantId,
  [`first${n}`]: first,
  [`last${n}`]: last,
})

export const paymentsIn = (rows: readonly RunRow[]): Payment[] =>
  rows.map(row => toPayment(row[BESIDE_PAYMENT], row))
