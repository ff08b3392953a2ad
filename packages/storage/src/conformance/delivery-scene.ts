import type { ClaimedDelivery } from '../delivery-store.ts'
import { at, EVERYTHING, type Scene, WEBHOOK_URL } from './scene.ts'

export const SUCCESS = { state: 'delivered', nextAttemptAt: null, lastStatus: 200, lastError: null } as const

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
