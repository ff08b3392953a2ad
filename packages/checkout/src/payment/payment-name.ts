import type { Payment } from '@tillkit/till'

/** What a payment is called among those of this process, which may have known another of its id: see `isSamePayment`. */
export function nameOf({ merchantId, id, date }: Pick<Payment, 'merchantId' | 'id' | 'date'>): string {
  return `${merchantId} ${id} ${date}`
}
