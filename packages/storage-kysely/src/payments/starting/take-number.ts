import { type Instant, type NewPayment, secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { wireDateOf } from '../../schema/dates.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import type { Started } from './insert-payment.ts'
import { startedBefore, suspendedCode } from './what-refuses.ts'

interface Parameters {
  merchantId: string
  scanCode: string
  attemptKey: string | null
  second: string
}

/**
 * Gives a payment that is not strict its id and date in the statement that takes the merchant's lock, where one transaction
 * writes at a time. Undefined where nothing was given: its key has started a payment before, or it is to be refused.
 */
export function takeNumber({
  builder,
  dialect,
}: Database): (
  session: Session,
  payment: NewPayment,
  now: Instant | null,
) => Promise<Pick<Started, 'id' | 'date'> | undefined> {
  const take = prepare((p: Parameters) =>
    builder
      .updateTable('ledgers')
      .set({
        last_payment_id: sql<number>`last_payment_id + 1`,
        last_date: sql<string>`max(last_date, ${p.second})`,
      })
      .where('ledgers.merchant_id', '=', p.merchantId)
      .where('ledgers.suspended_at', 'is', null)
      .where(({ not, exists }) => not(exists(suspendedCode(builder, p.scanCode))))
      .where(({ not, exists }) => not(exists(startedBefore(builder, dialect, p.merchantId, p.attemptKey))))
      .returning(['last_payment_id as id', 'last_date as date']),
  )
  return async (session, { merchantId, scanCode, attemptKey }, now) => {
    const second = secondOf(givenTime(dialect, now) as Instant)
    const taken = await session.first(take({ merchantId, scanCode, attemptKey, second }))
    return taken && { id: Number(taken.id), date: wireDateOf(taken.date) }
  }
}
