import type { WebhookPayment } from '@tillkit/webhook-signer'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

/**
 * Takes a payment whose webhook was verified, and the request as the framework has it. The delivery is answered with 204 when
 * it is done, and with 500, so that it is sent again, when it throws. It may get the same payment more than once.
 */
export type PaymentHandler<Request> = (payment: WebhookPayment, request: Request) => void | Promise<void>

/** What every receiver takes. */
export interface WebhookOptions<Request> {
  /** The webhook authentication key that was issued to the merchant. */
  key: string
  /** Takes the payment of a test (API 6.7), which was never made; a test is answered with 204 either way. */
  onTest?: PaymentHandler<Request> | undefined
  /**
   * Hears of what was answered with 500, the handler's own errors among it: `console.error` when left out. It is not waited for, and
   * what it throws, or rejects with, is printed.
   */
  onError?: ((error: unknown, request: Request) => void) | undefined
  /** The provider's own words for the names of the API. */
  vocabulary?: Vocabulary | undefined
  /** The longest body that is read: 262144 bytes when left out. What is longer is answered with 413. */
  maxBytes?: number | undefined
}
