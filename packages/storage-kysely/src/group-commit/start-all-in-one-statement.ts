import { type NewPayment, secondOf } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hasAttemptKey } from '../payments/starting/has-attempt-key.ts'
import { newPaymentRow, UNSTARTED } from '../payments/starting/insert-payment.ts'
import { isCurrent } from '../payments/starting/start-lock.ts'
import { andLimitedTo } from '../postgres/sessions/local-settings.ts'
import { type ReadDate, wireDateOf } from '../schema/dates.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import type { StartAll, StartedOne } from './start-all.ts'

interface Parameters {
  merchantId: string
  now: string | null
  /** JSON of the rows, in the order in which they get their ids. */
  rows: string
}

/** What a statement answers of one that it started; places count from 1. */
export type StartedRow = [place: Whole, id: Whole, date: ReadDate]

export const startedOne = ([place, id, date]: StartedRow): StartedOne => ({
  place: Number(place) - 1,
  id: Number(id),
  date: wireDateOf(date),
})

/** What a row has of its own: the rest is the merchant's. */
export const OWN_COLUMNS = {
  total_amount: 'bigint',
  tip_amount: 'bigint',
  scan_code: 'text',
  scan_code_reference: 'text',
  user_reference: 'text',
  is_voucher: 'boolean',
  is_voucher_redemption: 'boolean',
  required_amount: 'bigint',
  merchant_reference: 'text',
  auth_code: 'text',
  device_serial_number: 'text',
  extra: 'jsonb',
  attempt_key: 'text',
} as const

/** Their names. */
export const OWN_NAMES = Object.keys(OWN_COLUMNS) as (keyof typeof OWN_COLUMNS)[]

/** Each with its type, in their order, as a row of JSON is read. */
export const OWN_TYPED = OWN_NAMES.map(name => `${name} ${OWN_COLUMNS[name]}`).join(', ')

/** Those columns of a payment, as JSON takes them. */
export function ownColumns(payment: NewPayment, dialect: Dialect): object {
  const row = newPaymentRow(payment, UNSTARTED, null, dialect)
  return Object.fromEntries(OWN_NAMES.map(name => [name, name === 'extra' ? payment.extra : row[name]]))
}

/** One round trip, whatever their number. */
export function startAllInOneStatement(database: Database): StartAll {
  const { builder, dialect } = database
  const start = prepareArrays<Parameters, StartedRow>(p => ({
    compile: () => statement(database, p).compile(builder),
  }))
  return async (session, merchantId, payments, now) => {
    const rows = payments.map(payment => ownColumns(payment, dialect))
    const query = start({
      merchantId,
      now: givenTime(dialect, now && secondOf(now)),
      rows: JSON.stringify(rows),
    })
    return (await session.all(query)).map(startedOne)
  }
}

/**
 * The statement of `startInOneStatement` for any number of rows. Those whose scan code is suspended or whose attempt key is
 * known are passed by, and ids have no gap for them; where the merchant takes no payments, or that was being changed, all
 * are. All are undone, by a division by zero, where a trigger keeps one of the rows out. What is looked up for each row is a subquery of its own, which no planner can make a join of whole tables of.
 */
function statement({ builder, dialect, statementLimit }: Database, p: Parameters): RawBuilder<StartedRow> {
  const [ledgers, payments, scanCodes] = ['ledgers', 'payments', 'scan_codes'].map(name => sql.table(name))
  const columns = sql.join(OWN_NAMES.map(name => sql.ref(name)))
  const typed = sql.join(OWN_NAMES.map(name => sql`${sql.ref(name)} ${sql.raw(OWN_COLUMNS[name])}`))
  const isKnown = hasAttemptKey(dialect, sql.ref('given.attempt_key'))
  return sql`
    with given as (
      select * from rows from (json_to_recordset(${p.rows}::json) as (${typed})) with ordinality as given (${columns}, place)
    ), fit as materialized (
      select given.*, row_number() over (order by place) as nth, count(*) over () as number from given
      where (select suspended_at from ${scanCodes} where code = given.scan_code) is null
        and (select id from ${payments} where merchant_id = ${p.merchantId} and ${isKnown}) is null
    ), ledger as (
      update ${ledgers} set
        last_payment_id = last_payment_id + (select count(*) from fit),
        last_date = greatest(last_date, date_trunc('second', ${dialect.orNow(p.now)}))
      where ${sql.ref('ledgers.merchant_id')} = ${p.merchantId} and ${sql.ref('ledgers.suspended_at')} is null
        and ${isCurrent(builder, p.merchantId)} and exists (select from fit)${andLimitedTo(statementLimit)}
      returning last_payment_id as last_id, last_date as date
    ), started as (
      insert into ${payments} (merchant_id, id, date, status, strict, ${columns})
      select ${p.merchantId}, last_id - number + nth, date, 'pending', false, ${columns} from ledger, fit
      returning id
    )
    select place, (last_id - number + nth) / ((select count(*) from started) / number) as id, ${dialect.secondOf(sql.ref('date'))} as date from ledger, fit`
}
