import { later, secondOf, TillError } from '@tillkit/domain'
import type { CashUpStore } from '@tillkit/storage'
import { ledgerLock } from '../schema/ledger.ts'
import { toCashUp } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function createCashUp(database: Database): CashUpStore['create'] {
  const { builder, write } = database
  const lockLedger = ledgerLock(database)
  const findByKey = prepare((p: { merchantId: string; idempotencyKey: string }) =>
    builder
      .selectFrom('cash_ups')
      .select(['date', 'reference'])
      .where('merchant_id', '=', p.merchantId)
      .where('idempotency_key', '=', p.idempotencyKey),
  )
  const advanceLedger = prepare((p: { merchantId: string; number: number; lastId: number; date: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_cash_up_number: p.number, last_cash_up_payment_id: p.lastId, last_date: p.date })
      .where('merchant_id', '=', p.merchantId),
  )

  return (merchantId, { reference, idempotencyKey, now }) =>
    write(async session => {
      const ledger = await lockLedger(session, merchantId)
      if (!ledger) throw new TillError('not_found', `merchant ${merchantId} is unknown`)

      const earlier =
        idempotencyKey === null ? undefined : await session.first(findByKey({ merchantId, idempotencyKey }))
      if (earlier) return toCashUp(earlier)

      const date = later(secondOf(now), ledger.last_date)
      const number = ledger.last_cash_up_number + 1
      const lastId = ledger.last_payment_id
      await session.change(
        builder
          .insertInto('cash_ups')
          .values({
            merchant_id: merchantId,
            number,
            reference,
            date,
            first_payment_id: ledger.last_cash_up_payment_id + 1,
            last_payment_id: lastId,
            idempotency_key: idempotencyKey,
            completed_total: null,
          })
          .compile(),
      )
      await session.change(advanceLedger({ merchantId, number, lastId, date }))
      return { date, reference }
    })
}
