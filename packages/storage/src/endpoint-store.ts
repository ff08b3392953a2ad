import type { EndpointHealth, FailingEndpoint, Instant, PausedEndpoint } from '@tillkit/domain'
import type { RepairTimes } from './delivery-store.ts'
import type { MerchantSlice } from './merchant-store.ts'
import type { PreviousWebhookKey } from './previous-webhook-key.ts'

/** Where a merchant's webhooks go, and how it has answered. */
export interface Endpoint extends EndpointHealth {
  /** Where they are posted; null sends none. */
  webhookUrl: string | null
  /** Sealed; null where none was issued. */
  webhookKey: string | null
  /** The key that it took the place of, where that was given a time to go on; null where it was not. */
  previousWebhookKey: PreviousWebhookKey | null
}

/** How merchants' webhook URLs have answered. Where there is none the endpoint is in order, whatever the one before it answers. */
export interface EndpointStore {
  /** One read by key; null for an unknown merchant. */
  get(merchantId: string): Promise<Endpoint | null>

  /**
   * Pauses the merchant's endpoint at `now` if it has failed since `failingSince` or longer: a compare-and-set. True for
   * the one call that did it; false where it is paused already, has had a success since, or has not failed for so long.
   */
  pause(merchantId: string, failingSince: Instant, now: Instant): Promise<boolean>

  /**
   * The merchant's endpoint is in order: it is neither failing nor paused, and what rested is due `now`. Recording a
   * success does this too, and so does a changed webhook URL. Of very many that rested a store may make due a part: then the
   * endpoint has failed since `now`, is not paused, and the next success makes more due.
   */
  wake(merchantId: string, now: Instant): Promise<void>

  /**
   * Puts to `now` since when the merchant's endpoint has failed, where that lies after `soon`. One that was paused after
   * `soon` is not paused, though still failing, and what rested is due `now`. True where it changed anything.
   */
  repairDates(merchantId: string, times: Pick<RepairTimes, 'now' | 'soon'>): Promise<boolean>

  /** Up to `limit` endpoints that fail, the paused among them, by ascending merchant id, those after `after` when it is given. */
  failing(range: MerchantSlice): Promise<FailingEndpoint[]>

  /** Up to `limit` paused endpoints by ascending merchant id, those after `after` when it is given. */
  paused(range: MerchantSlice): Promise<PausedEndpoint[]>
}
