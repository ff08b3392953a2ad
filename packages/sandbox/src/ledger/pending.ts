import type { Payment } from '@tillkit/domain'
import type { Bound } from './bound.ts'

const STEP = 500

/** The payments of a ledger that are pending, as they are kept, by ascending id. A ledger is small enough to read them all. */
export async function pendingOf({ storage, stored }: Bound): Promise<Payment[]> {
  const found = new Map<number, Payment>()
  for (let skip = 0; ; skip += STEP) {
    const { items } = await storage.payments.list(stored, { status: ['pending'] }, { skip, limit: STEP })
    for (const payment of items) found.set(payment.id, payment)
    if (items.length < STEP) return [...found.values()].sort((a, b) => a.id - b.id)
  }
}
