import type { WebhookPayment } from '@tillkit/webhook-signer'

/** Where a merchant's API is, and its key. */
export interface Provider {
  /** With the version: `https://pay.example.com/v1`. */
  baseUrl: string
  apiKey: string
}

/** A payment as the API has it: unlike a webhook, it may be pending. */
export interface FetchedPayment extends Omit<WebhookPayment, 'status'> {
  status: WebhookPayment['status'] | 'pending'
}

/** One payment as the provider's API has it (API 4.3); null when there is none. */
export async function fetchPayment(
  { baseUrl, apiKey }: Provider,
  id: number,
): Promise<FetchedPayment | null> {
  const headers = { Authorization: `Basic ${btoa(`${apiKey}:`)}` }
  const response = await fetch(`${baseUrl}/payments/${id}`, { headers })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`the provider answered ${response.status}`)
  return (await response.json()) as FetchedPayment
}
