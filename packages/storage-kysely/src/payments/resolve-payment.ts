import type { PaymentStore } from '@tillkit/storage'
import { resolveInOneCall } from '../citus/resolve-payments.ts'
import { withTraces } from '../citus/with-traces.ts'
import { outbox } from '../deliveries/outbox.ts'
import { outcomesTogether } from '../group-commit/outcomes-together.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { findPayment } from './find-payment.ts'
import { hasOneOf } from './has-one-of.ts'
import { resolveInOneStatement } from './resolve-in-one-statement.ts'

export function resolvePayment(database: Database): PaymentStore['resolve'] {
  if (!database.dialect.composes) return resolveInSteps(database)
  const { distributed } = database.dialect
  const alone = distributed ? resolveInOneCall(database) : resolveInOneStatement(database)
  const resolve = database.groups ? outcomesTogether(database, alone) : alone
  return distributed ? withTraces(database, resolve) : resolve
}

function resolveInSteps(database: Database): PaymentStore['resolve'] {
  const { builder, write } = database
  const find = findPayment(database)
  const writeDelivery = outbox(database)
  const complete = prepare((p: { merchantId: string; id: number }) =>
    builder
      .updateTable('payments')
      .set({ status: 'completed' })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id)
      .where(hasOneOf(['pending'])),
  )
  const fail = prepare((p: { merchantId: string; id: number; failure: string | null }) =>
    builder
      .updateTable('payments')
      .set({ status: 'error', failure: p.failure, guarded_reference: null })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id)
      .where(hasOneOf(['pending'])),
  )

  return async ({ merchantId, id }, outcome, now, traceparent) => {
    const resolved = await write(
      async session => {
        const change =
          outcome.status === 'completed'
            ? complete({ merchantId, id })
            : fail({ merchantId, id, failure: outcome.failure })
        const changed = (await session.change(change)) > 0
        if (changed) await writeDelivery(session, { merchantId, paymentId: id }, now, traceparent)
        const row = await session.first(find({ merchantId, id }))
        return row ? { row, changed } : null
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
    // Once it is committed: a row that cannot be read has its outcome all the same.
    return resolved && { payment: toPayment(merchantId, resolved.row), changed: resolved.changed }
  }
}
