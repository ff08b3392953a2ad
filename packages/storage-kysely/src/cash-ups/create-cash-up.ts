import { later, secondOf, TillError } from '@tillkit/domain'
import type { CashUpStore } from '@tillkit/storage'
import type { Insertable } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { ledgerLock } from '../schema/ledger.ts'
import { CASH_UP_COLUMNS, toCashUp } from '../schema/rows/rows.ts'
import type { CashUpsTable } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'
import { writeEach } from '../session/transactions/write-each.ts'

export function createCashUp(database: Database): CashUpStore['create'] {
  const { builder, write, dialect } = database
  const lockLedger = ledgerLock(database)
  const findByKey = prepare((p: { merchantId: string; idempotencyKey: string }) =>
    currentRead(
      database,
      builder
        .selectFrom('cash_ups')
        .select(columnsOf(dialect, 'cash_ups', CASH_UP_COLUMNS))
        .where('merchant_id', '=', p.merchantId)
        .where('idempotency_key', '=', p.idempotencyKey),
    ),
  )
  const insert = prepare((row: Insertable<CashUpsTable>) =>
    builder.insertInto('cash_ups').values({
      merchant_id: row.merchant_id,
      number: row.number,
      reference: row.reference,
      date: row.date,
      first_payment_id: row.first_payment_id,
      last_payment_id: row.last_payment_id,
      idempotency_key: row.idempotency_key,
      completed_total: row.completed_total,
    }),
  )
  const advanceLedger = prepare((p: { merchantId: string; number: number; lastId: number; date: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_cash_up_number: p.number, last_cash_up_payment_id: p.lastId, last_date: p.date })
      .where('merchant_id', '=', p.merchantId),
  )

  return (merchantId, { reference, idempotencyKey, now }) =>
    write(
      async session => {
        const ledger = await lockLedger(session, merchantId, now)
        if (!ledger) throw new TillError('not_found', `merchant ${merchantId} is unknown`)

        const earlier =
          idempotencyKey === null ? undefined : await session.first(findByKey({ merchantId, idempotencyKey }))
        if (earlier) return toCashUp(earlier)

        const date = later(secondOf(ledger.now), ledger.lastDate)
        const number = ledger.lastCashUpNumber + 1
        const lastId = ledger.lastPaymentId
        await writeEach(
          session,
          insert({
            merchant_id: merchantId,
            number,
            reference,
            date: dialect.time(date),
            first_payment_id: ledger.lastCashUpPaymentId + 1,
            last_payment_id: lastId,
            idempotency_key: idempotencyKey,
            completed_total: null,
          }),
        )
        await writeEach(session, advanceLedger({ merchantId, number, lastId, date: dialect.time(date) }))
        return { date, reference }
      },
      { repeatable: idempotencyKey !== null, merchantId, looksFirst: true },
    )
}
