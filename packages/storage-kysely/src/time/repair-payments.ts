import { secondOf, TillError } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { firstSince } from '../payments/listing/first-since.ts'
import { instantOf } from '../schema/dates.ts'
import { ledgerLock } from '../schema/ledger.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'
import { givenTime } from './given-time.ts'

interface Run {
  merchantId: string
  date: string
  firstId: number
  lastId: number
}

/** One step of a repair: a short transaction, so that nobody waits long for the merchant's lock. */
export function repairPayments(database: Database): PaymentStore['repairDates'] {
  const { builder, write, dialect, counting } = database
  const lockLedger = ledgerLock(database)
  // After the lock was had: what others dated while this waited for it is not ahead.
  const readTime = prepare((p: { now: string | null }) =>
    builder.selectNoFrom(dialect.timeOf(dialect.orNow(p.now)).as('now')),
  )
  const findFirst = prepare((p: { merchantId: string; date: string }) =>
    builder.selectNoFrom(
      firstSince(dialect, builder, p.merchantId, '>', p.date, ids => currentRead(database, ids)).as('id'),
    ),
  )
  const datePayments = prepare((p: Run) =>
    builder
      .updateTable('payments')
      .set({ date: p.date })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '>=', unforeseen(dialect, p.firstId))
      .where('id', '<=', unforeseen(dialect, p.lastId)),
  )
  const dateCashUps = prepare((p: Run) =>
    builder
      .updateTable('cash_ups')
      .set({ date: p.date })
      .where('merchant_id', '=', p.merchantId)
      .where('date', '>', p.date)
      .where('last_payment_id', '<=', p.lastId),
  )
  const dateLedger = prepare((p: Run) =>
    builder
      .updateTable('ledgers')
      .set({ last_date: p.date })
      .where('merchant_id', '=', p.merchantId)
      .where('last_payment_id', '=', p.lastId),
  )

  /** At a block's end where it can: what is kept of a block is found to be out of date by its last payment alone. */
  function lastOfStep(firstId: number, farthest: number, lastPaymentId: number): number {
    const atEnd = farthest - (farthest % counting.blockSize)
    return farthest === lastPaymentId || atEnd < firstId ? farthest : atEnd
  }

  return (merchantId, given, limit) =>
    write(
      async session => {
        const ledger = await lockLedger(session, merchantId, given)
        if (!ledger) throw new TillError('not_found', `merchant ${merchantId} is unknown`)
        const { lastPaymentId, lastDate } = ledger
        const now =
          given ?? instantOf((await session.first(readTime({ now: givenTime(dialect, null) })))?.now ?? '')
        if (lastDate <= secondOf(now)) return { payments: 0, cashUps: 0, done: true }

        const date = dialect.time(secondOf(now))
        const first = await session.first(findFirst({ merchantId, date }))
        // Ids and dates have one order: what is ahead is a run of ids up to the last.
        const firstId = Number(first?.id ?? lastPaymentId + 1)
        const lastId = lastOfStep(firstId, Math.min(firstId + limit - 1, lastPaymentId), lastPaymentId)
        const run = { merchantId, date, firstId, lastId }
        const payments = firstId <= lastPaymentId ? await session.change(datePayments(run)) : 0
        const cashUps = await session.change(dateCashUps(run))
        const isLast = lastId === lastPaymentId
        const dated = isLast ? await session.change(dateLedger(run)) : 0
        // Where it was not to be dated, one more was started, in a shard that had been moved by then: that is for the next step.
        return { payments, cashUps, done: dated > 0 || (isLast && payments === 0) }
      },
      { repeatable: true, merchantId },
    )
}
