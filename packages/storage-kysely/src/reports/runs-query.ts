import type { Payment } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type CompiledQuery, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import { toPayment } from '../schema/to-payment.ts'
import { unforeseen } from '../schema/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepareArraysEach } from '../session/prepared.ts'

/** A run of ids of one merchant. */
export interface Run extends IdRange {
  merchantId: string
}

export type RunRow = [...PaymentRow, merchantId: string]
type Parameters = Record<string, string | number>

/** Nobody's run, that fills up a statement. */
const NOTHING: Run = { merchantId: '', first: 1, last: 0 }

/** The payments of some runs, in no order, without their `extra`: no sum is made of it, and it may be long. */
export function runsQuery({
  builder,
  dialect,
}: Pick<Database, 'builder' | 'dialect'>): (runs: readonly Run[]) => CompiledQuery<RunRow> {
  const summed = PAYMENT_COLUMNS.filter(name => name !== 'extra')
  const runOf = (p: Parameters, n: number) =>
    builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', summed))
      .select(sql<string>`'{}'`.as('extra'))
      .select('payments.merchant_id')
      .where('payments.merchant_id', '=', p[`merchant${n}`] as string)
      .where('payments.id', '>=', unforeseen(dialect, p[`first${n}`] as number))
      .where('payments.id', '<=', unforeseen(dialect, p[`last${n}`] as number))
  const form = prepareArraysEach<number, Parameters, RunRow>(width => p => {
    let query = runOf(p, 0)
    for (let n = 1; n < width; n++) query = query.unionAll(runOf(p, n))
    return query
  })

  return runs => {
    const width = 2 ** Math.ceil(Math.log2(runs.length))
    const parameters: Parameters = {}
    for (let n = 0; n < width; n++) {
      const { merchantId, first, last } = runs[n] ?? NOTHING
      Object.assign(parameters, { [`merchant${n}`]: merchantId, [`first${n}`]: first, [`last${n}`]: last })
    }
    return form(`${width}`, width)(parameters)
  }
}

export const paymentsIn = (rows: readonly RunRow[]): Payment[] =>
  rows.map(row => toPayment(row[BESIDE_PAYMENT], row))
