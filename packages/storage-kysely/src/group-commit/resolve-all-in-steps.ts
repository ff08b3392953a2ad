import { sql } from 'kysely'
import type { EndedRow } from '../deliveries/outbox/handed-over.ts'
import { outboxOfAll } from '../deliveries/outbox/outbox-of-all.ts'
import { hasOneOf } from '../payments/has-one-of.ts'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { jsonRows, lockFree, prepareArraysForRows, prepareForRows } from '../session/statements/json-rows.ts'
import type { Ending, ResolveAll } from './resolve-all.ts'

const [STATUS, FAILURE] = [PAYMENT_COLUMNS.indexOf('status'), PAYMENT_COLUMNS.indexOf('failure')]

const KEY = { merchant_id: 'longtext', id: 'bigint' } as const
const ENDING = { ...KEY, outcome: 'longtext', reason: 'longtext' } as const

/** As many round trips as for one, whatever their number: those that are pending and free, their outcomes, and their deliveries. */
export function resolveAllInSteps(database: Database): ResolveAll {
  const writeDeliveries = outboxOfAll(database)
  const payments = sql.table('payments')
  const ofGiven = sql`payment.merchant_id = given.merchant_id and payment.id = given.id`
  const columns = sql.join(columnsOf(database.dialect, 'payments', PAYMENT_COLUMNS, 'payment'))
  const lock = prepareArraysForRows<[...PaymentRow, place: Whole]>(
    database,
    rows => sql`
      select ${columns}, given.place
      from ${jsonRows(rows, KEY)} straight_join ${payments} as payment on ${ofGiven}
      where ${hasOneOf(['pending'])}
      ${lockFree('payment')}`,
  )
  const end = prepareForRows(
    database,
    rows => sql`
      update ${jsonRows(rows, ENDING)}
      straight_join ${payments} as payment on ${ofGiven}
      set payment.status = given.outcome, payment.failure = given.reason,
        payment.guarded_reference = case when given.outcome = 'completed' then payment.guarded_reference end`,
  )

  return async (session, endings) => {
    const keys = endings.map(({ key }) => ({ merchant_id: key.merchantId, id: key.id }))
    const found = await session.all(lock(keys))
    const answers: (EndedRow | undefined)[] = endings.map(() => undefined)
    if (found.length === 0) return answers

    const free = found.map(row => {
      const place = Number(row[BESIDE_PAYMENT]) - 1
      return { row, place, ending: endings[place] as Ending }
    })
    const written = free.map(({ ending: { key, outcome } }) => ({
      ...{ merchant_id: key.merchantId, id: key.id, outcome: outcome.status },
      reason: reasonOf(outcome),
    }))
    await session.change(end(written))
    const handed = await writeDeliveries(
      session,
      free.map(({ ending }) => ending),
    )
    for (const [n, { row, place, ending }] of free.entries()) {
      const payment = row.slice(0, BESIDE_PAYMENT)
      payment[STATUS] = ending.outcome.status
      payment[FAILURE] = reasonOf(ending.outcome)
      answers[place] = [...payment, ...(handed[n] ?? [])] as unknown as EndedRow
    }
    return answers
  }
}

const reasonOf = (outcome: Ending['outcome']) => (outcome.status === 'error' ? outcome.failure : null)
