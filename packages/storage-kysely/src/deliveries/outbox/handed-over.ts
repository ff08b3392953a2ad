import type { Payment } from '@tillkit/domain'
import type { ClaimedDelivery } from '@tillkit/storage'
import { BESIDE_PAYMENT, type PaymentRow } from '../../schema/payment-row.ts'
import { type EndpointRow, endpointOf } from '../claiming/claimed-delivery.ts'

/** The fence of a delivery that is written under a lease: above that of one that is written due. */
export const FIRST_FENCE = 1

/** Where in a row they stand. */
const HANDED = BESIDE_PAYMENT

/** What is selected of a merchant beside a payment that gets its outcome and whose delivery may be leased, in its order. */
export const HANDED_COLUMNS = [
  'is_leased',
  'webhook_url',
  'webhook_key',
  'previous_webhook_key',
  'previous_webhook_key_until',
  'failing_since',
] as const satisfies ('is_leased' | keyof EndpointRow)[]

/** Those columns. */
export type HandedRow = [
  isLeased: boolean,
  webhookUrl: EndpointRow['webhook_url'],
  webhookKey: EndpointRow['webhook_key'],
  previousWebhookKey: EndpointRow['previous_webhook_key'],
  previousWebhookKeyUntil: EndpointRow['previous_webhook_key_until'],
  failingSince: EndpointRow['failing_since'],
]

/** A payment as it is after an outcome, and what its delivery takes where that may have been leased: anything else would be read as that. */
export type EndedRow = [...PaymentRow, ...(HandedRow | [])]

/** The delivery that was written with an outcome, under a lease, as a claim would hand it over. */
export function handedOver(
  payment: Payment,
  traceparent: string | null | undefined,
  endpoint: EndpointRow,
): ClaimedDelivery {
  const { merchantId, id: paymentId } = payment
  const held = { merchantId, paymentId, attempts: 0, fence: FIRST_FENCE, traceparent: traceparent ?? null }
  return { ...held, ...endpointOf(endpoint), payment }
}

/** The same of what stands in the payment's own row; undefined where that is nothing, or no lease. */
export function handedOverIn(
  payment: Payment,
  traceparent: string | null | undefined,
  row: EndedRow,
): ClaimedDelivery | undefined {
  const isLeased = row[HANDED]
  if (!isLeased) return undefined
  return handedOver(payment, traceparent, {
    webhook_url: row[HANDED + 1] as EndpointRow['webhook_url'],
    webhook_key: row[HANDED + 2] as EndpointRow['webhook_key'],
    previous_webhook_key: row[HANDED + 3] as EndpointRow['previous_webhook_key'],
    previous_webhook_key_until: row[HANDED + 4] as EndpointRow['previous_webhook_key_until'],
    failing_since: row[HANDED + 5] as EndpointRow['failing_since'],
  })
}
