import { type Payment, paymentObject } from '@tillkit/domain'
import { formatWebhook, signWebhook } from '@tillkit/webhook-signer'

/**
 * Tells a merchant of an outcome (API 6), once. A host that must not lose one when it crashes delivers from the
 * store, as `@tillkit/till` does.
 */
export async function sendWebhook(url: string, key: string, payment: Payment): Promise<boolean> {
  const body = formatWebhook(JSON.stringify(paymentObject(payment)))
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: signWebhook(body, key) },
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
    return ok
  } catch {
    return false
  }
}
