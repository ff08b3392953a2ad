import { after, instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import type { MakeAttempt, Outcome } from './attempt.ts'
import type { FairWindow } from './fair-window.ts'

/** Takes due deliveries from the storage into the window. */
export interface Claims {
  /**
   * Claims what is due by `now`. `full` says that there may be more, `all` that nothing was left out for a crowd. Rejects
   * when the storage does.
   */
  claim(now: Date): Promise<{ started: Promise<Outcome>[]; full: boolean; all: boolean }>
  /** The attempts of all that is claimed, or being claimed, at this moment. */
  claimed(): Promise<Promise<Outcome>[]>
  /** Resolves when nothing is claimed any more. */
  settled(): Promise<void>
}

/** A store that knows `exceptMerchants` leaves their deliveries to later claims; for any other it changes nothing. */
type ClaimRequest = Parameters<DeliveryStore['claim']>[0] & { exceptMerchants?: string[] }

/** `limit` deliveries at a time, each leased for `leaseSeconds` from before the claim. */
export function createClaims(parts: {
  deliveries: Pick<DeliveryStore, 'claim'>
  clock: () => Date
  window: FairWindow
  attempt: MakeAttempt
  leaseSeconds: number
  limit: number
}): Claims {
  const { deliveries, clock, window, attempt, leaseSeconds, limit } = parts
  const claims = new Set<Promise<unknown>>()
  const attempts = new Set<Promise<Outcome>>()

  const claim = async (now: Date) => {
    const leaseUntil = after(clock(), leaseSeconds)
    const exceptMerchants = window.crowd()
    const request: ClaimRequest = {
      now: instant(now),
      leaseUntil: instant(leaseUntil),
      limit,
      exceptMerchants,
    }
    const claimed = await deliveries.claim(request)
    const started = claimed.map(delivery =>
      kept(
        attempts,
        window.run(laneOf(delivery), () => attempt(delivery, leaseUntil)),
      ),
    )
    return { started, full: claimed.length >= limit, all: exceptMerchants.length === 0 }
  }

  return {
    claim: now => kept(claims, claim(now)),
    async claimed() {
      await Promise.allSettled(claims)
      return [...attempts]
    },
    async settled() {
      while (claims.size + attempts.size > 0) await Promise.allSettled([...claims, ...attempts])
    },
  }
}

/** Receivers are told apart by origin: the merchants of one shop platform share one. */
function laneOf({ merchantId, webhookUrl }: ClaimedDelivery): { receiver: string; merchantId: string } {
  const receiver = webhookUrl !== null && URL.canParse(webhookUrl) ? new URL(webhookUrl).origin : merchantId
  return { receiver, merchantId }
}

/** `promise`, in `set` until it settles. */
function kept<T>(set: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  set.add(promise)
  const forget = () => set.delete(promise)
  promise.then(forget, forget)
  return promise
}
