import type { Payment } from '@tillkit/till'

/**
 * The name of a payment for its processor, which `charge` has in its context and `lookup` asks by: text of at most 94
 * characters of `A-Za-z0-9_.:-`, the same at any time and in any process. The date in it tells payments apart that have one
 * number because a database was made anew, or goes on from a backup, while the processor remembers. Only `till.repairDates` changes it:
 * reconcile first what it is about to date anew.
 */
export function idempotencyKey({
  merchantId,
  id,
  date,
}: Pick<Payment, 'merchantId' | 'id' | 'date'>): string {
  return `${merchantId}:${id}:${Date.parse(date) / 1000}`
}
