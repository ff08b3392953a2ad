import { base64 } from '../base64.ts'
import { checkKey } from '../webhook-key.ts'

/**
 * The webhook authentication key in the form in which libraries for Standard Webhooks take a secret: `whsec_` and the
 * key's bytes in base64.
 */
export function standardWebhooksSecret(key: string): string {
  checkKey(key)
  return `whsec_${base64(new TextEncoder().encode(key))}`
}
