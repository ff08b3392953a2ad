import type { DeliveryAttempt } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryResult, Lease } from '../../delivery-store.ts'
import { at, EVERYTHING, type Scene, WEBHOOK_URL } from '../scene.ts'

/** What `record` takes of a lease whose attempt began at `seconds` and was answered with a success. */
export function success(
  lease: Lease,
  seconds: number,
  attempt: Partial<DeliveryAttempt> = {},
): DeliveryResult {
  const { merchantId, paymentId, fence } = lease
  const ended = { at: at(seconds), status: 200, milliseconds: 12, error: null, answer: 'ok', ...attempt }
  return { merchantId, paymentId, fence, state: 'delivered', nextAttemptAt: null, attempt: ended }
}

/** The same of one that failed: it is tried again at `next`, or never where that is null. */
export function failure(
  lease: Lease,
  seconds: number,
  next: number | null,
  attempt: Partial<DeliveryAttempt> = {},
): DeliveryResult {
  return {
    ...success(lease, seconds, { status: 503, error: 'answered 503', answer: null, ...attempt }),
    state: next === null ? 'exhausted' : 'pending',
    nextAttemptAt: next === null ? null : at(next),
  }
}

/** What a delivery shows of an attempt that was recorded. */
export function shownAfter({ state, nextAttemptAt, attempt }: DeliveryResult) {
  const { at: lastAttemptAt, status: lastStatus, error: lastError } = attempt
  return { state, nextAttemptAt, lastAttemptAt, lastStatus, lastError }
}

/** The one delivery that is due at `seconds`, claimed. */
export async function claimOne(scene: Scene, seconds: number, leaseUntil?: number): Promise<ClaimedDelivery> {
  const [held, ...more] = await claim(scene, seconds, leaseUntil)
  if (!held || more.length > 0) throw new Error(`${more.length + (held ? 1 : 0)} deliveries were due`)
  return held
}

/** A merchant with a webhook URL whose deliveries alone are free to be claimed. */
export async function notified(scene: Scene): Promise<string> {
  await scene.leaseLeftovers()
  return (await scene.merchant({ webhookUrl: WEBHOOK_URL })).id
}

export const claim = ({ storage }: Scene, seconds: number, leaseUntil = seconds + 60, limit = 100) =>
  storage.deliveries.claim({ now: at(seconds), leaseUntil: at(leaseUntil), limit })

export const paymentIds = (claimed: ClaimedDelivery[]) => claimed.map(({ paymentId }) => paymentId)

export async function only(scene: Scene, merchantId: string) {
  const { items } = await scene.storage.deliveries.list(merchantId, undefined, EVERYTHING)
  if (items.length !== 1) throw new Error(`merchant ${merchantId} has ${items.length} deliveries`)
  return items[0]
}
