import { type ClaimedDelivery, type Lease, UnreadableRowError } from '@tillkit/storage'
import { webhookKeysOf } from '../../endpoints/webhook-keys.ts'
import { instantOrNull } from '../../schema/dates.ts'
import { type PAYMENT_COLUMNS, paymentRowOf } from '../../schema/rows/payment-row.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'

/** What is read of a merchant's endpoint for an attempt; all null where the merchant is gone. */
export interface EndpointRow {
  webhook_url: string | null
  webhook_key: string | null
  previous_webhook_key: string | null
  previous_webhook_key_until: string | null
  failing_since: string | null
}

/** What a claim reads beside the delivery. Any of it may be gone, or not be what it was. */
export type Target = PaymentOrNone &
  EndpointRow & {
    /** Null where the merchant is gone. */
    known_merchant: string | null
  }

/** All null where the payment is gone. */
type PaymentOrNone = Record<(typeof PAYMENT_COLUMNS)[number], unknown>

/** What a claim has of the delivery itself. */
export type Held = Lease & Pick<ClaimedDelivery, 'attempts' | 'traceparent'>

/** What is handed over of a delivery that was leased: its payment, or why there is none. Never throws. */
export function claimedDelivery(held: Held, target: Target | undefined): ClaimedDelivery {
  try {
    return { ...held, ...(target ? endpointOf(target) : NOWHERE), ...paymentOf(held, target) }
  } catch (error) {
    const fault = error instanceof UnreadableRowError ? error.message : 'delivery cannot be read'
    return { ...held, ...NOWHERE, payment: null, fault }
  }
}

const NOWHERE = { webhookUrl: null, webhookKey: null, previousWebhookKey: null, failingSince: null }

export function endpointOf(
  target: EndpointRow,
): Pick<ClaimedDelivery, 'webhookUrl' | 'webhookKey' | 'previousWebhookKey' | 'failingSince'> {
  const failingSince = instantOrNull(target.failing_since)
  return { webhookUrl: target.webhook_url, ...webhookKeysOf(target), failingSince }
}

function paymentOf({ merchantId }: Lease, target: Target | undefined) {
  if (!target || target.id === null) return { payment: null, fault: 'payment is gone' }
  if (target.known_merchant === null) return { payment: null, fault: 'merchant is gone' }
  return { payment: toPayment(merchantId, paymentRowOf(target)) }
}
