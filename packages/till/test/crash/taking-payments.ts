import type { Payment, StartPayment, Till } from '@tillkit/till'

/** Your processor, as far as this needs it: it can be asked what became of a charge by the name that it was made under. */
export interface Processor {
  charge(name: string, amount: number): Promise<Charge>
  find(name: string): Promise<Charge | null>
}
type Charge = { state: 'approved' | 'declined' | 'under way'; reason?: string }

/** The name of a payment's charge: it has one at most. */
const chargeOf = (payment: Payment) => `${payment.merchantId}/${payment.id}`

export async function takePayment(till: Till, processor: Processor, attempt: StartPayment): Promise<Payment> {
  const { payment, created } = await till.payments.startOnce(attempt)
  if (!created || payment.status !== 'pending') return payment
  const { state, reason } = await processor.charge(chargeOf(payment), payment.totalAmount)
  if (state === 'approved') return till.payments.complete(payment)
  if (state === 'declined') return till.payments.fail(payment, { failure: reason })
  return payment
}

/** To be called every minute, in any number of processes. */
export async function settleUnresolved(till: Till, processor: Processor): Promise<void> {
  const lookup = async (payment: Payment) => {
    const charge = await processor.find(chargeOf(payment))
    if (charge === null) return { status: 'unknown' } as const
    if (charge.state === 'approved') return { status: 'completed' } as const
    if (charge.state === 'declined') return { status: 'error', failure: charge.reason } as const
    return { status: 'pending' } as const
  }
  const { pending, errors } = await till.payments.reconcile(lookup, { olderThanSeconds: 60 })
  // The processor has answered for every payment: what it never heard of in an hour was not charged.
  if (pending === 0 && errors === 0) await till.payments.failStale({ olderThanSeconds: 3600 })
}
