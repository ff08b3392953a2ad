import type { PaymentProcessor } from '@tillkit/checkout'

/** What charges customers, and what there is to be done when it is needed no more. */
export interface LoadedProcessor {
  processor: PaymentProcessor
  close(): Promise<void>
}
