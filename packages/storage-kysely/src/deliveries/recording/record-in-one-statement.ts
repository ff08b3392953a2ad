import { KEPT_ATTEMPTS } from '@tillkit/domain'
import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { type RawBuilder, sql } from 'kysely'
import { eachOf } from '../../endpoints/end-rest.ts'
import { wakeEndpoint } from '../../endpoints/wake-endpoint.ts'
import { isOfDatabase } from '../../faults/is-of-database.ts'
import { hardlyAny } from '../../schema/planner/unforeseen.ts'
import type { Database, WriteOptions } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { BATCH_LOCK_WAIT, inBatches } from '../../session/transactions/in-batches.ts'
import { isPending } from '../is-pending.ts'
import { loneMilliseconds } from '../lone-milliseconds.ts'
import { type ResultColumns, resultColumns } from './result-columns.ts'

interface Columns extends ResultColumns {
  merchantId: string[]
}

/** The place of each result that was written, and its merchant where that was failing and this a success. */
type Written = { place: number | string; recovered: string | null }

/**
 * Results that come at the same moment are written together: their deliveries, attempts and the failing of endpoints in
 * one statement. An only attempt that was a success is written into its delivery; what follows it moves it to a row of its
 * own. A success at an endpoint that was failing wakes it by a second one, in the same transaction. Where
 * rows are locked by another, a host's transaction for instance, theirs alone wait.
 */
export function recordInOneStatement(database: Database): DeliveryStore['record'] {
  const { builder, write, dialect } = database
  const wake = wakeEndpoint(database)
  const prepared = (passing: boolean) =>
    prepare((p: Columns) => ({ compile: () => statement(database, p, passing).compile(builder) }))
  const [waiting, passing] = [prepared(false), prepared(true)]

  const recordWith = (record: typeof waiting, results: DeliveryResult[], options: WriteOptions) => {
    const merchantId = results.map(({ merchantId }) => merchantId)
    const query = record({ merchantId, ...resultColumns(results, dialect.time) })
    return write(async session => {
      const written = await session.all(query)
      const recovered = new Set(written.map(({ recovered }) => recovered).filter(one => one !== null))
      for (const merchantId of recovered) {
        const last = results.findLast(result => result.merchantId === merchantId)
        if (last) await wake(session, merchantId, dialect.time(last.attempt.at), eachOf(recovered.size))
      }
      const places = new Set(written.map(({ place }) => Number(place)))
      return results.map((_, n) => places.has(n + 1))
    }, options)
  }

  const one = inBatches<DeliveryResult, boolean>({
    together: results => recordWith(waiting, results, { lockWait: BATCH_LOCK_WAIT }),
    // What was not written is another's, or its row is locked.
    passing: async results =>
      (await recordWith(passing, results, { lockWait: BATCH_LOCK_WAIT })).map(
        written => written || undefined,
      ),
    async alone(result) {
      const { merchantId } = result
      const [written = false] = await recordWith(waiting, [result], { merchantId, locks: 'rows' })
      return written
    },
    isOfAll: error => isOfDatabase(error, dialect),
  })
  // The engine refuses text with a NUL, and no merchant's id has one.
  return async result => !result.merchantId.includes('\0') && one(result)
}

/** One that is `passing` leaves out results whose deliveries' rows are locked. */
function statement({ dialect }: Database, p: Columns, passing: boolean): RawBuilder<Written> {
  const [deliveries, attempts, endpoints] = [
    sql.table('deliveries'),
    sql.table('delivery_attempts'),
    sql.table('failing_endpoints'),
  ]
  const free = passing
    ? sql`free as (
      select delivery.merchant_id, delivery.payment_id from ${deliveries} as delivery join given
        on delivery.merchant_id = given.merchant_id and delivery.payment_id = given.payment_id
      for update of delivery skip locked
    ), `
    : sql``
  const andFree = passing ? sql`join free using (merchant_id, payment_id)` : sql``
  const isLone = sql`given.error is null and delivery.last_attempt_at is null`
  return sql<Written>`
    with given as (
      select * from unnest(
        ${p.merchantId}::text[], ${p.paymentId}::bigint[], ${p.fence}::bigint[], ${p.state}::text[],
        ${p.nextAttemptAt}::timestamptz[], ${p.beganAt}::timestamptz[], ${p.status}::bigint[],
        ${p.milliseconds}::bigint[], ${p.error}::text[], ${p.answer}::text[], ${p.asked}::boolean[]
      ) with ordinality as given (
        merchant_id, payment_id, fence, state, next_attempt_at, began_at, status, milliseconds, error, answer, asked, place
      )
      where ${hardlyAny(dialect, sql.ref('place'))}
    ), ${free}written as (
      update ${deliveries} as delivery set
        state = given.state, attempts = coalesce(delivery.attempts, 0) + 1, fence = delivery.fence + 1,
        next_attempt_at = given.next_attempt_at, last_attempt_at = given.began_at,
        last_status = given.status, last_error = given.error,
        lone_milliseconds = case when ${isLone} then given.milliseconds end,
        lone_answer = case when ${isLone} then given.answer end
      from given ${andFree}
      where delivery.merchant_id = given.merchant_id and delivery.payment_id = given.payment_id
        and delivery.fence = given.fence and ${isPending(sql.ref('delivery.state'))}
      returning given.*, delivery.lone_milliseconds is not null as is_lone
    ), followed as (
      select written.*, before.*, (
        select max(attempt.number) from ${attempts} as attempt
        where attempt.merchant_id = written.merchant_id and attempt.payment_id = written.payment_id
      ) as last_number
      from written cross join lateral (
        select delivery.last_attempt_at, delivery.last_status, delivery.lone_answer,
          ${loneMilliseconds('delivery')} as lone_milliseconds
        from ${deliveries} as delivery
        where delivery.merchant_id = written.merchant_id and delivery.payment_id = written.payment_id
        offset 0
      ) as before
      where not written.is_lone
    ), moved as (
      select * from followed where last_number is null and lone_milliseconds is not null
    ), numbered as (
      select *, 1 + coalesce(last_number, case when lone_milliseconds is not null then 1 else 0 end) as number
      from followed
    ), kept as (
      insert into ${attempts} (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
      select merchant_id, payment_id, 1, last_attempt_at, last_status, lone_milliseconds, null, lone_answer from moved
      union all
      select merchant_id, payment_id, number, began_at, status, milliseconds, error, answer from numbered
    ), dropped as (
      delete from ${attempts} as attempt using numbered
      where attempt.merchant_id = numbered.merchant_id and attempt.payment_id = numbered.payment_id
        and attempt.number <= numbered.number - ${sql.lit(KEPT_ATTEMPTS)}
    ), failing as (
      insert into ${endpoints} (merchant_id, failing_since)
      select merchant_id, min(began_at) from written where asked
      group by merchant_id having count(error) = count(*) order by merchant_id
      on conflict (merchant_id) do nothing
    )
    select place, case when error is null then (
      select endpoint.merchant_id from ${endpoints} as endpoint where endpoint.merchant_id = written.merchant_id
    ) end as recovered
    from written`
}
