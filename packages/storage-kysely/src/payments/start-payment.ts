import { guardedReference, later, secondOf, strictRefusal, TillError } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { outbox } from '../deliveries/outbox.ts'
import { ledgerLock } from '../schema/ledger.ts'
import { toPayment } from '../schema/rows.ts'
import type { PaymentsTable } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { findAttempt } from './find-attempt.ts'

export function startPayment(database: Database): PaymentStore['start'] {
  const { builder, write, dialect } = database
  const lockLedger = ledgerLock(database)
  const writeDelivery = outbox(database)
  const attempt = findAttempt(database)
  const findLive = prepare((p: { merchantId: string; merchantReference: string }) =>
    builder
      .selectFrom('payments')
      .select('id')
      .where('merchant_id', '=', p.merchantId)
      .where('merchant_reference', '=', p.merchantReference)
      .where('status', 'in', ['pending', 'completed'])
      .limit(1),
  )
  const insertPayment = prepare((row: PaymentsTable) =>
    builder.insertInto('payments').values({
      merchant_id: row.merchant_id,
      id: row.id,
      status: row.status,
      date: row.date,
      total_amount: row.total_amount,
      tip_amount: row.tip_amount,
      scan_code: row.scan_code,
      scan_code_reference: row.scan_code_reference,
      user_reference: row.user_reference,
      statement_reference: row.statement_reference,
      is_voucher: row.is_voucher,
      is_voucher_redemption: row.is_voucher_redemption,
      required_amount: row.required_amount,
      merchant_reference: row.merchant_reference,
      auth_code: row.auth_code,
      device_serial_number: row.device_serial_number,
      strict: row.strict,
      failure: row.failure,
      extra: row.extra,
      attempt_key: row.attempt_key,
      guarded_reference: row.guarded_reference,
    }),
  )
  const advanceLedger = prepare((p: { merchantId: string; id: number; date: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_payment_id: p.id, last_date: p.date })
      .where('merchant_id', '=', p.merchantId),
  )

  return (payment, now) =>
    write(async session => {
      const { merchantId, merchantReference, attemptKey } = payment
      const ledger = await lockLedger(session, merchantId)
      if (!ledger) throw new TillError('not_found', `merchant ${merchantId} is unknown`)

      const first = attemptKey === null ? undefined : await session.first(attempt({ merchantId, attemptKey }))
      if (first) return { payment: toPayment(first), created: false }

      const guarded = guardedReference(payment)
      const live =
        guarded === null || merchantReference === null
          ? undefined
          : await session.first(findLive({ merchantId, merchantReference }))
      const failure = strictRefusal(payment, live !== undefined)
      const row: PaymentsTable = {
        merchant_id: merchantId,
        id: ledger.last_payment_id + 1,
        status: failure === null ? 'pending' : 'error',
        date: later(secondOf(now), ledger.last_date),
        total_amount: payment.totalAmount,
        tip_amount: payment.tipAmount,
        scan_code: payment.scanCode,
        scan_code_reference: payment.scanCodeReference,
        user_reference: payment.userReference,
        statement_reference: null,
        is_voucher: dialect.flag(payment.isVoucher),
        is_voucher_redemption: dialect.flag(payment.isVoucherRedemption),
        required_amount: payment.requiredAmount,
        merchant_reference: merchantReference,
        auth_code: payment.authCode,
        device_serial_number: payment.deviceSerialNumber,
        strict: dialect.flag(payment.strict),
        failure,
        extra: JSON.stringify(payment.extra),
        attempt_key: attemptKey,
        guarded_reference: failure === null ? guarded : null,
      }
      await session.change(insertPayment(row))
      await session.change(advanceLedger({ merchantId, id: row.id, date: row.date }))
      if (failure !== null) await writeDelivery(session, { merchantId, paymentId: row.id }, now)
      return { payment: toPayment(row), created: true }
    })
}
