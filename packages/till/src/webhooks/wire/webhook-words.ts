import { type Payment, paymentObject, renamingOf, type Vocabulary } from '@tillkit/domain'
import { formatWebhook, signWebhook } from '@tillkit/webhook-signer'

/** How a webhook says what it says. */
export interface WebhookWords {
  /** `payload=<JSON of the payment object>` (API 6.3). */
  body(payment: Payment): string
  /** The value of `Authorization` (API 6.4). */
  sign(body: Uint8Array, key: string): string
}

/** Those of a vocabulary, made once; without one, our own. */
export function webhookWords(vocabulary: Vocabulary | undefined): WebhookWords {
  if (vocabulary === undefined)
    return { body: payment => formatWebhook(JSON.stringify(paymentObject(payment))), sign: signWebhook }
  const renamed = renamingOf(vocabulary, 'payment') ?? ((object: object) => object)
  return {
    body: payment => formatWebhook(JSON.stringify(renamed(paymentObject(payment))), { vocabulary }),
    sign: (body, key) => signWebhook(body, key, { vocabulary }),
  }
}
