import { guardedReference, later, secondOf, strictRefusal, TillError } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { startInOneCall } from '../../citus/payments/start-payments.ts'
import { outbox } from '../../deliveries/outbox/outbox.ts'
import type { StartAlone } from '../../group-commit/start-all.ts'
import { startsTogether } from '../../group-commit/starts-together.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import { currentRead } from '../../session/statements/current-read.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { writeEach } from '../../session/transactions/write-each.ts'
import { hasOneOf } from '../has-one-of.ts'
import { findAttempt } from './find-attempt.ts'
import { insertPayment, newPaymentRow, type Started, startedPayment } from './insert-payment.ts'
import { startInOneStatement } from './start-in-one-statement.ts'
import { startLock } from './start-lock.ts'
import { takeNumber } from './take-number.ts'

export function startPayment(database: Database): PaymentStore['start'] {
  const inSteps = startInSteps(database)
  const plain = startPlain(database, inSteps)
  const together = database.groups ? startsTogether(database, plain) : plain
  // What strict mode reads is of the payments before it, which a statement that writes several does not see.
  return (payment, now, traceparent) =>
    payment.strict ? inSteps(payment, now, undefined, traceparent) : together(payment, now)
}

/** Of payments that are not strict. */
function startPlain(database: Database, inSteps: StartInSteps): StartAlone {
  if (!database.dialect.composes) return inSteps
  const { distributed } = database.dialect
  const inOneStatement = distributed ? startInOneCall(database) : startInOneStatement(database)
  return async (payment, now, since) =>
    (await inOneStatement(payment, now, since)) ?? inSteps(payment, now, since)
}

/** What may refuse a payment at once keeps the trace with the delivery of that. */
type StartInSteps = (
  ...given: [...Parameters<StartAlone>, traceparent?: string | null | undefined]
) => ReturnType<StartAlone>

/** Takes the merchant's lock, reads, then writes. */
function startInSteps(database: Database): StartInSteps {
  const { builder, write, dialect } = database
  const lock = startLock(database)
  const take = dialect.oneWriter ? takeNumber(database) : undefined
  const writeDelivery = outbox(database)
  const attempt = findAttempt(database).locked
  const insert = insertPayment(database)
  const findLive = prepare((p: { merchantId: string; merchantReference: string }) =>
    currentRead(
      database,
      builder
        .selectFrom('payments')
        .select('id')
        .where('merchant_id', '=', p.merchantId)
        .where('merchant_reference', '=', p.merchantReference)
        .where(hasOneOf(['pending', 'completed']))
        .limit(1),
    ),
  )
  const advanceLedger = prepare((p: { merchantId: string; id: number; date: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_payment_id: p.id, last_date: p.date })
      .where('merchant_id', '=', p.merchantId),
  )

  return (payment, now, since, traceparent) =>
    write(
      async session => {
        const taken = payment.strict ? undefined : await take?.(session, payment, now)
        if (taken) {
          const started: Started = { ...taken, status: 'pending', failure: null }
          await writeEach(session, insert(newPaymentRow(payment, started, null, dialect)))
          return { payment: startedPayment(payment, started), created: true }
        }
        const { merchantId, merchantReference, attemptKey } = payment
        const ledger = await lock(session, payment, now)
        if (!ledger) throw new TillError('not_found', `merchant ${merchantId} is unknown`)

        const first =
          attemptKey === null ? undefined : await session.first(attempt({ merchantId, attemptKey }))
        if (first) return { payment: toPayment(merchantId, first), created: false }
        ledger.assertTakesPayments()

        const guarded = guardedReference(payment)
        const live =
          guarded === null || merchantReference === null
            ? undefined
            : await session.first(findLive({ merchantId, merchantReference }))
        const failure = strictRefusal(payment, live !== undefined)
        const started: Started = {
          id: ledger.lastPaymentId + 1,
          status: failure === null ? 'pending' : 'error',
          date: later(secondOf(ledger.now), ledger.lastDate),
          failure,
        }
        const row = newPaymentRow(payment, started, failure === null ? guarded : null, dialect)
        await writeEach(session, insert(row))
        await writeEach(session, advanceLedger({ merchantId, id: started.id, date: row.date }))
        if (failure !== null) {
          const delivery = { now: ledger.now, traceparent }
          await writeDelivery(session, { merchantId, paymentId: started.id }, delivery)
        }
        return { payment: startedPayment(payment, started), created: true }
      },
      { merchantId: payment.merchantId, looksFirst: true, since },
    )
}
