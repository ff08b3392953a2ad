import { secondOf } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hasAttemptKey } from '../payments/starting/has-attempt-key.ts'
import { hardlyAny } from '../schema/planner/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import type { Start, StartOfEach } from './start-all.ts'
import {
  OWN_COLUMNS,
  OWN_NAMES,
  ownColumns,
  type StartedRow,
  startedOne,
} from './start-all-in-one-statement.ts'

/** Starts of several merchants as a statement takes them. */
export interface StartColumns {
  merchantId: string[]
  now: (string | null)[]
  /** JSON of the rows. */
  rows: string
}

/**
 * One round trip, whatever their number. Passed by are those whose merchant's lock another has, so that no merchant's start
 * waits for what is another's; those whose merchant takes no payments or whose scan code is suspended, or was being changed; and
 * those whose attempt key is known. All are undone, by a division by zero, where a trigger keeps one of the rows out.
 */
export function startOfEachInOneStatement(database: Database): StartOfEach {
  const { builder, dialect } = database
  const start = prepareArrays<StartColumns, StartedRow>(p => ({
    compile: () => statement(database, p).compile(builder),
  }))
  return async (session, starts) => {
    return (await session.all(start(startColumns(dialect, starts)))).map(startedOne)
  }
}

export const startColumns = (dialect: Dialect, starts: Start[]): StartColumns => ({
  merchantId: starts.map(({ payment }) => payment.merchantId),
  now: starts.map(({ now }) => givenTime(dialect, now && secondOf(now))),
  rows: JSON.stringify(starts.map(({ payment }) => ownColumns(payment, dialect))),
})

function statement({ dialect }: Database, p: StartColumns): RawBuilder<StartedRow> {
  const [ledgers, payments, scanCodes] = ['ledgers', 'payments', 'scan_codes'].map(name => sql.table(name))
  const columns = sql.join(OWN_NAMES.map(name => sql.ref(name)))
  const typed = sql.join(OWN_NAMES.map(name => sql`${sql.ref(name)} ${sql.raw(OWN_COLUMNS[name])}`))
  const isKnown = hasAttemptKey(dialect, sql.ref('given.attempt_key'))
  return sql`
    with given as (
      select * from rows from (
        unnest(${p.merchantId}::text[], ${p.now}::timestamptz[]), json_to_recordset(${p.rows}::json) as (${typed})
      ) with ordinality as given (merchant_id, given_at, ${columns}, place)
      where ${hardlyAny(dialect, sql.ref('place'))}
    ), free as materialized (
      select given.* from given, lateral (
        select suspensions from ${ledgers} as ledger
        where ledger.merchant_id = given.merchant_id and ledger.suspended_at is null
        for no key update skip locked
      ) as locked
      where (select suspended_at from ${scanCodes} where code = given.scan_code) is null
        and (select id from ${payments} where merchant_id = given.merchant_id and ${isKnown}) is null
        and locked.suspensions = (select seen.suspensions from ${ledgers} as seen where seen.merchant_id = given.merchant_id)
    ), ledger as (
      update ${ledgers} as ledger set
        last_payment_id = ledger.last_payment_id + 1,
        last_date = greatest(ledger.last_date, date_trunc('second', coalesce(free.given_at, clock_timestamp())))
      from free
      where ledger.merchant_id = free.merchant_id
      returning free.*, ledger.last_payment_id as id, ledger.last_date as date
    ), started as (
      insert into ${payments} (merchant_id, id, date, status, strict, ${columns})
      select merchant_id, id, date, 'pending', false, ${columns} from ledger
      returning id
    )
    select place, id / ((select count(*) from started) / (select count(*) from ledger)) as id, ${dialect.secondOf(sql.ref('date'))} as date from ledger`
}
