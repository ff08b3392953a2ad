import type { PaymentKey } from '@tillkit/domain'

/** What a payment is called among those of this process. */
export function nameOf({ merchantId, id }: PaymentKey): string {
  return `${merchantId} ${id}`
}
