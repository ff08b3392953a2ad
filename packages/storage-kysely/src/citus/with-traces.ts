import type { PaymentStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

/**
 * `resolve`, which writes the trace to the delivery once the outcome is committed: the function that does so at the nodes
 * knows of none. A worker that is quicker finds the delivery without, and what keeps a trace from being written keeps no
 * outcome.
 */
export function withTraces(
  { builder, write }: Database,
  resolve: PaymentStore['resolve'],
): PaymentStore['resolve'] {
  const trace = prepare((p: { merchantId: string; id: number; traceparent: string }) =>
    builder
      .updateTable('deliveries')
      .set({ traceparent: p.traceparent })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.id)
      .where('traceparent', 'is', null),
  )
  return async (key, outcome, now, traceparent) => {
    const resolved = await resolve(key, outcome, now)
    if (traceparent && resolved?.changed) {
      const query = trace({ merchantId: key.merchantId, id: key.id, traceparent })
      await write(session => session.change(query), { statement: true, repeatable: true }).catch(() => {})
    }
    return resolved
  }
}
