import type { Payment } from './payment.ts'

/**
 * Whether a payment is still the one that was read, or another one that has its id: ids are given again where the database goes on
 * from an older state, a backup's, or a standby's that was behind. Of what never changes this is enough to tell them apart.
 */
export function isSamePayment(read: Payment, now: Payment): boolean {
  return SAME.every(name => read[name] === now[name])
}

const SAME = ['merchantId', 'id', 'date', 'authCode', 'scanCode', 'totalAmount', 'merchantReference'] as const
