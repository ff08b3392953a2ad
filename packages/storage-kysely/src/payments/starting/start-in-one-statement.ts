import { type Instant, type NewPayment, secondOf } from '@tillkit/domain'
import type { Started } from '@tillkit/storage'
import { sql } from 'kysely'
import { isDividedByZero } from '../../dialects/postgres-errors.ts'
import { andLimitedTo } from '../../postgres/sessions/local-settings.ts'
import { type ReadDate, wireDateOf } from '../../schema/dates.ts'
import type { Whole } from '../../schema/rows/payment-row.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { findDone } from '../../session/transactions/find-done.ts'
import { keptOut } from '../../session/transactions/write-each.ts'
import { givenTime } from '../../time/given-time.ts'
import { findAttempt } from './find-attempt.ts'
import {
  ALL_PAYMENT_COLUMNS,
  type NewPaymentRow,
  newPaymentRow,
  startedPayment,
  UNSTARTED,
} from './insert-payment.ts'
import { isCurrent } from './start-lock.ts'
import { startedBefore, suspendedCode } from './what-refuses.ts'

type Parameters = NewPaymentRow & { now: string | null }
type Row = [id: Whole, date: ReadDate]

/**
 * Starts a payment that is not strict in one round trip: the ledger is updated, which takes the merchant's lock, and the
 * payment inserted from what it returns. Null where nothing was recorded and why is to be looked at with the lock held: an
 * attempt of the same key won a race since the statement began, the merchant is unknown or suspended, the scan code is, or
 * one of the merchant's was suspended or resumed meanwhile.
 */
export function startInOneStatement(
  database: Database,
): (payment: NewPayment, now: Instant | null, since?: number) => Promise<Started | null> {
  const { builder, write, dialect, statementLimit } = database
  const attempt = findAttempt(database).done

  const start = (keyed: boolean) =>
    prepareArrays<Parameters, Row>((p: Parameters) =>
      builder
        .with('ledger', db =>
          db
            .updateTable('ledgers')
            .set({
              last_payment_id: sql<number>`last_payment_id + 1`,
              last_date: sql<string>`greatest(last_date, date_trunc('second', ${dialect.orNow(p.now)}))`,
            })
            .where('ledgers.merchant_id', '=', p.merchant_id)
            .where('ledgers.suspended_at', 'is', null)
            .where(
              sql<boolean>`${isCurrent(builder, p.merchant_id as string)}${andLimitedTo(statementLimit)}`,
            )
            .where(({ not, exists }) => not(exists(suspendedCode(builder, p.scan_code))))
            .$if(keyed, query =>
              query.where(({ not, exists }) =>
                not(exists(startedBefore(builder, dialect, p.merchant_id, p.attempt_key))),
              ),
            )
            .returning(['last_payment_id as id', 'last_date as date']),
        )
        .with('started', db =>
          db
            .insertInto('payments')
            .columns([...ALL_PAYMENT_COLUMNS])
            .expression(eb =>
              eb
                .selectFrom('ledger')
                .select(row =>
                  ALL_PAYMENT_COLUMNS.map(name =>
                    name === 'id' || name === 'date'
                      ? row.ref(`ledger.${name}`).as(name)
                      : row.val(p[name]).as(name),
                  ),
                ),
            )
            .returning('id'),
        )
        .selectFrom('ledger')
        .select(row => [
          // A division by zero where a trigger keeps the row out: that undoes the ledger's update too.
          sql<Whole>`${row.ref('ledger.id')} / (select count(*) from started)`.as('id'),
          dialect.timeOf(row.ref('ledger.date')).as('date'),
        ]),
    )
  const [plain, keyed] = [start(false), start(true)]

  return async (payment, now, since) => {
    const { merchantId, attemptKey } = payment
    const row = {
      ...newPaymentRow(payment, UNSTARTED, null, dialect),
      now: givenTime(dialect, now && secondOf(now)),
    }
    const query = attemptKey === null ? plain(row) : keyed(row)
    try {
      const given = await write(session => session.first(query), {
        statement: true,
        saysLimit: true,
        merchantId,
        since,
      })
      if (given) {
        const [id, date] = given
        const started = { ...UNSTARTED, id: Number(id), date: wireDateOf(date) }
        return { payment: startedPayment(payment, started), created: true }
      }
    } catch (error) {
      if (attemptKey !== null && dialect.isDuplicate(error)) return null
      if (isDividedByZero(error)) throw keptOut({ cause: error })
      throw error
    }
    const first =
      attemptKey === null
        ? undefined
        : await findDone(database, attempt({ merchantId, attemptKey }), { merchantId, since })
    return first ? { payment: toPayment(merchantId, first), created: false } : null
  }
}
