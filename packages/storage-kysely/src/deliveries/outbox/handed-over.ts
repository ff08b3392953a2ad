import type { Payment } from '@tillkit/domain'
import type { ClaimedDelivery } from '@tillkit/storage'
import { BESIDE_PAYMENT, type PaymentRow } from '../../schema/rows/payment-row.ts'
import { type EndpointRow, endpointOf } from '../claiming/claimed-delivery.ts'

/** Where in a row they stand. */
const HANDED = BESIDE_PAYMENT

/** What is selected of a merchant beside a payment that gets its outcome and whose delivery may be leased, in its order. */
export const HANDED_COLUMNS = [
  'lease_fence',
  'webhook_url',
  'webhook_key',
  'previous_webhook_key',
  'previous_webhook_key_until',
  'failing_since',
] as const satisfies ('lease_fence' | keyof EndpointRow)[]

/** Those columns. */
export type HandedRow = [
  leaseFence: number | string | null,
  webhookUrl: EndpointRow['webhook_url'],
  webhookKey: EndpointRow['webhook_key'],
  previousWebhookKey: EndpointRow['previous_webhook_key'],
  previousWebhookKeyUntil: EndpointRow['previous_webhook_key_until'],
  failingSince: EndpointRow['failing_since'],
]

/** A payment as it is after an outcome, and what its delivery takes where that may have been leased: anything else would be read as that. */
export type EndedRow = [...PaymentRow, ...(HandedRow | [])]

/** Where a delivery goes that is the caller's own, and the fence of that lease. */
export interface HandedEndpoint extends EndpointRow {
  lease_fence: number | string
}

/** The delivery that was written with an outcome, under a lease, as a claim would hand it over. */
export function handedOver(
  payment: Payment,
  traceparent: string | null | undefined,
  endpoint: HandedEndpoint,
): ClaimedDelivery {
  const { merchantId, id: paymentId } = payment
  const fence = Number(endpoint.lease_fence)
  const held = { merchantId, paymentId, attempts: 0, fence, traceparent: traceparent ?? null }
  return { ...held, ...endpointOf(endpoint), payment }
}

/** The same of what stands in the payment's own row; undefined where that is nothing, or no lease. */
export function handedOverIn(
  payment: Payment,
  traceparent: string | null | undefined,
  row: EndedRow,
): ClaimedDelivery | undefined {
  const fence = row[HANDED]
  if (fence === undefined || fence === null) return undefined
  return handedOver(payment, traceparent, {
    lease_fence: fence,
    webhook_url: row[HANDED + 1] as EndpointRow['webhook_url'],
    webhook_key: row[HANDED + 2] as EndpointRow['webhook_key'],
    previous_webhook_key: row[HANDED + 3] as EndpointRow['previous_webhook_key'],
    previous_webhook_key_until: row[HANDED + 4] as EndpointRow['previous_webhook_key_until'],
    failing_since: row[HANDED + 5] as EndpointRow['failing_since'],
  })
}
