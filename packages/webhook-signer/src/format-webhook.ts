/**
 * The body of a delivery, `payload=…` in `application/x-www-form-urlencoded`, from a payment object that is JSON
 * already (API 6.3). These are the bytes to sign and to send.
 */
export function formatWebhook(paymentJson: string): string {
  if (typeof paymentJson !== 'string') throw new TypeError('paymentJson must be a string of JSON')
  return new URLSearchParams({ payload: paymentJson }).toString()
}
