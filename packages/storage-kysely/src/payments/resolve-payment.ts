import type { PaymentStore } from '@tillkit/storage'
import { outbox } from '../deliveries/outbox.ts'
import { PAYMENT_COLUMNS, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { findPayment } from './find-payment.ts'

export function resolvePayment(database: Database): PaymentStore['resolve'] {
  const { builder, write } = database
  const find = findPayment(database)
  const writeDelivery = outbox(database)
  const complete = prepare((p: { merchantId: string; id: number }) =>
    builder
      .updateTable('payments')
      .set({ status: 'completed' })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id)
      .where('status', '=', 'pending')
      .returning(PAYMENT_COLUMNS),
  )
  const fail = prepare((p: { merchantId: string; id: number; failure: string | null }) =>
    builder
      .updateTable('payments')
      .set({ status: 'error', failure: p.failure, guarded_reference: null })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id)
      .where('status', '=', 'pending')
      .returning(PAYMENT_COLUMNS),
  )

  return (key, outcome, now) =>
    write(async session => {
      const { merchantId, id } = key
      const changed = await session.first(
        outcome.status === 'completed'
          ? complete({ merchantId, id })
          : fail({ merchantId, id, failure: outcome.failure }),
      )
      if (changed) {
        await writeDelivery(session, { merchantId, paymentId: id }, now)
        return { payment: toPayment(changed), changed: true }
      }
      const row = await session.first(find({ merchantId, id }))
      return row ? { payment: toPayment(row), changed: false } : null
    })
}
