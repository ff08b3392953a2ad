import { after, instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore, Lease } from '@tillkit/storage'
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
  /** Gives back the leases of what was claimed and dropped before its turn, so that nobody waits for their end. */
  giveBack(): Promise<void>
}

/** `limit` deliveries at a time, each leased for `leaseSeconds` from before the claim. */
export function createClaims(parts: {
  deliveries: Pick<DeliveryStore, 'claim' | 'release'>
  clock: () => Date
  window: FairWindow
  attempt: MakeAttempt
  leaseSeconds: number
  limit: number
}): Claims {
  const { deliveries, clock, window, attempt, leaseSeconds, limit } = parts
  const claims = new Set<Promise<unknown>>()
  const attempts = new Set<Promise<Outcome>>()
  let dropped: Lease[] = []

  const attemptInTurn = async (delivery: ClaimedDelivery, leaseUntil: Date): Promise<Outcome> => {
    let begun = false
    const outcome = await window.run(laneOf(delivery), () => {
      begun = true
      return attempt(delivery, leaseUntil)
    })
    const { merchantId, paymentId, fence } = delivery
    if (!begun) dropped.push({ merchantId, paymentId, fence })
    return outcome
  }

  const claim = async (now: Date) => {
    const leaseUntil = after(clock(), leaseSeconds)
    const exceptMerchants = window.crowd()
    const claimed = await deliveries.claim({
      now: instant(now),
      leaseUntil: instant(leaseUntil),
      limit,
      exceptMerchants,
    })
    const started = claimed.map(delivery => kept(attempts, attemptInTurn(delivery, leaseUntil)))
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
    async giveBack() {
      const leases = dropped
      dropped = []
      if (leases.length > 0) await deliveries.release(leases, instant(clock()))
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
