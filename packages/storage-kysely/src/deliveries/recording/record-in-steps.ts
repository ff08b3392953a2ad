import { type DeliveryKey, KEPT_ATTEMPTS } from '@tillkit/domain'
import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { eachOf } from '../../endpoints/end-rest.ts'
import { wakeEndpoint } from '../../endpoints/wake-endpoint.ts'
import { columnsOf } from '../../schema/columns.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { currentRead } from '../../session/statements/current-read.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { isPending } from '../is-pending.ts'
import { loneMilliseconds } from '../lone-milliseconds.ts'
import { type AttemptRow, attemptRows } from './attempt-rows.ts'

interface Parameters extends Pick<DeliveryResult, 'merchantId' | 'paymentId' | 'fence' | 'state'> {
  nextAttemptAt: string | null
  beganAt: string
  status: number | null
  milliseconds: number
  error: string | null
  answer: string | null
}

/** Each result in a transaction of its own. An only attempt that was a success is written into its delivery, in one statement. */
export function recordInSteps(database: Database): DeliveryStore['record'] {
  const { builder, write, dialect } = database
  const wake = wakeEndpoint(database)
  const recordAs = (lone: boolean) =>
    prepare((p: Parameters) =>
      builder
        .updateTable('deliveries')
        .set({
          state: p.state,
          attempts: sql<number>`coalesce(attempts, 0) + 1`,
          fence: sql<number>`fence + 1`,
          next_attempt_at: p.nextAttemptAt,
          last_attempt_at: p.beganAt,
          last_status: p.status,
          last_error: p.error,
          lone_milliseconds: lone ? p.milliseconds : null,
          lone_answer: lone ? p.answer : null,
        })
        .where('merchant_id', '=', p.merchantId)
        .where('payment_id', '=', p.paymentId)
        .where('fence', '=', p.fence)
        .where(isPending())
        .$if(lone, query => query.where('last_attempt_at', 'is', null)),
    )
  const [recordLone, recordAnother] = [recordAs(true), recordAs(false)]
  const findLone = prepare((p: DeliveryKey) => {
    const query = builder
      .selectFrom('deliveries')
      .select(columnsOf(dialect, 'deliveries', ['last_attempt_at', 'last_status', 'lone_answer']))
      .select(loneMilliseconds('deliveries').as('lone_milliseconds'))
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
    return dialect.oneWriter ? query : query.forUpdate()
  })
  const findLast = prepare((p: DeliveryKey) =>
    currentRead(
      database,
      builder
        .selectFrom('delivery_attempts')
        .select(eb => eb.fn.max<number | null>('number').as('number'))
        .where('merchant_id', '=', p.merchantId)
        .where('payment_id', '=', p.paymentId),
    ),
  )
  const keep = prepare((row: AttemptRow) =>
    builder.insertInto('delivery_attempts').values({
      merchant_id: row.merchant_id,
      payment_id: row.payment_id,
      number: row.number,
      began_at: row.began_at,
      status: row.status,
      milliseconds: row.milliseconds,
      error: row.error,
      answer: row.answer,
    }),
  )
  const drop = prepare((p: DeliveryKey & { upTo: number }) =>
    builder
      .deleteFrom('delivery_attempts')
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
      .where('number', '<=', p.upTo),
  )
  const findFailing = prepare((p: { merchantId: string }) =>
    currentRead(
      database,
      builder.selectFrom('failing_endpoints').select('merchant_id').where('merchant_id', '=', p.merchantId),
    ),
  )
  const startFailing = prepare((p: Parameters) => {
    const insert = builder
      .insertInto('failing_endpoints')
      .values({ merchant_id: p.merchantId, failing_since: p.beganAt, paused_at: null })
    return dialect.name === 'mysql' ? insert.ignore() : insert.onConflict(conflict => conflict.doNothing())
  })

  /** Writes an attempt beside those there were; an only one gets a row as well. False where the lease is another's. */
  const writeAnother = async (session: Session, result: DeliveryResult, parameters: Parameters) => {
    const { merchantId, paymentId } = parameters
    const before = await session.first(findLone({ merchantId, paymentId }))
    if ((await session.change(recordAnother(parameters))) === 0) return false
    const last = await session.first(findLast({ merchantId, paymentId }))
    const rows = attemptRows(result, before, last?.number, dialect.time)
    for (const row of rows) await session.change(keep(row))
    const upTo = (rows.at(-1)?.number ?? 0) - KEPT_ATTEMPTS
    if (upTo > 0) await session.change(drop({ merchantId, paymentId, upTo }))
    return true
  }

  const tellEndpoint = async (session: Session, parameters: Parameters, asked: boolean) => {
    const { merchantId, error, beganAt } = parameters
    const failing = (await session.first(findFailing({ merchantId }))) !== undefined
    if (error === null && failing) await wake(session, merchantId, beganAt, eachOf(1))
    if (error !== null && asked && !failing) await session.change(startFailing(parameters))
  }

  return result => {
    const { merchantId, paymentId, fence, state, nextAttemptAt, attempt, asked = true } = result
    const parameters: Parameters = {
      ...{ ...attempt, merchantId, paymentId, fence, state },
      nextAttemptAt: nextAttemptAt === null ? null : dialect.time(nextAttemptAt),
      beganAt: dialect.time(attempt.at),
    }
    return write(
      async session => {
        const isLone = attempt.error === null && (await session.change(recordLone(parameters))) > 0
        if (!isLone && !(await writeAnother(session, result, parameters))) return false
        await tellEndpoint(session, parameters, asked)
        return true
      },
      { merchantId, locks: 'rows' },
    )
  }
}
