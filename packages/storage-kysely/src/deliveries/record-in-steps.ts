import { type DeliveryKey, KEPT_ATTEMPTS } from '@tillkit/domain'
import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { wakeEndpoint } from '../endpoints/wake-endpoint.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { isPending } from './is-pending.ts'

interface Parameters extends Pick<DeliveryResult, 'merchantId' | 'paymentId' | 'fence' | 'state'> {
  nextAttemptAt: string | null
  beganAt: string
  status: number | null
  milliseconds: number
  error: string | null
  answer: string | null
}

export function recordInSteps(database: Database): DeliveryStore['record'] {
  const { builder, write, dialect } = database
  const wake = wakeEndpoint(database)
  const record = prepare((p: Parameters) =>
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
      })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
      .where('fence', '=', p.fence)
      .where(isPending()),
  )
  const findLast = prepare((p: DeliveryKey) =>
    builder
      .selectFrom('delivery_attempts')
      .select(eb => eb.fn.max<number | null>('number').as('number'))
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId),
  )
  const keep = prepare((p: Parameters & { number: number }) =>
    builder.insertInto('delivery_attempts').values({
      merchant_id: p.merchantId,
      payment_id: p.paymentId,
      number: p.number,
      began_at: p.beganAt,
      status: p.status,
      milliseconds: p.milliseconds,
      error: p.error,
      answer: p.answer,
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
    builder.selectFrom('failing_endpoints').select('merchant_id').where('merchant_id', '=', p.merchantId),
  )
  const startFailing = prepare((p: Parameters) => {
    const insert = builder
      .insertInto('failing_endpoints')
      .values({ merchant_id: p.merchantId, failing_since: p.beganAt, paused_at: null })
    return dialect.name === 'mysql' ? insert.ignore() : insert.onConflict(conflict => conflict.doNothing())
  })

  const tellEndpoint = async (session: Session, parameters: Parameters, asked: boolean) => {
    const { merchantId, error, beganAt } = parameters
    const failing = (await session.first(findFailing({ merchantId }))) !== undefined
    if (error === null && failing) await wake(session, merchantId, beganAt)
    if (error !== null && asked && !failing) await session.change(startFailing(parameters))
  }

  return ({ merchantId, paymentId, fence, state, nextAttemptAt, attempt, asked = true }) => {
    const parameters: Parameters = {
      ...{ ...attempt, merchantId, paymentId, fence, state },
      nextAttemptAt: nextAttemptAt === null ? null : dialect.time(nextAttemptAt),
      beganAt: dialect.time(attempt.at),
    }
    return write(
      async session => {
        if ((await session.change(record(parameters))) === 0) return false
        const last = await session.first(findLast({ merchantId, paymentId }))
        const number = Number(last?.number ?? 0) + 1
        await session.change(keep({ ...parameters, number }))
        if (number > KEPT_ATTEMPTS) {
          await session.change(drop({ merchantId, paymentId, upTo: number - KEPT_ATTEMPTS }))
        }
        await tellEndpoint(session, parameters, asked)
        return true
      },
      { merchantId, locks: 'rows' },
    )
  }
}
