import { after, type Instant, instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore, Lease } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'
import type { FairWindow } from '../window/fair-window.ts'
import type { Queued } from '../window/lane.ts'
import { PARTS } from '../window/turns.ts'
import type { MakeAttempt, Outcome } from './attempt.ts'
import { createPutOff } from './put-off.ts'

/** Takes due deliveries from the storage into the window. */
export interface Claims {
  /**
   * Claims what is due by `at`, null being now by the storage's own time. `full` says that there may be more, `all` that
   * nothing was left out for a crowd. Rejects when the storage does.
   */
  claim(at: Instant | null): Promise<Claim>
  /** The same, but puts off what would wait for long, so that others' deliveries come before it. */
  claimSoon(at: Instant | null): Promise<Claim>
  /** The attempts of all that is claimed, or being claimed, at this moment. */
  claimed(): Promise<Promise<Outcome>[]>
  /** Resolves when nothing is claimed any more. */
  settled(): Promise<void>
  /** Waits for none of it any more: what is handed out yet is given back. */
  abandon(): void
  /** Gives back the leases of what was claimed and dropped before its turn, so that nobody waits for their end; returns how many. */
  giveBack(): Promise<number>
}

export interface Claim {
  started: Promise<Outcome>[]
  full: boolean
  all: boolean
}

/** `limit` deliveries at a time, each leased for `leaseSeconds` from before the claim. */
export function createClaims(parts: {
  deliveries: Pick<DeliveryStore, 'claim' | 'release'>
  now: Clock['now']
  window: FairWindow
  attempt: MakeAttempt
  timeoutSeconds: number
  leaseSeconds: number
  places: number
}): Claims {
  const { deliveries, now, window, attempt, leaseSeconds, places } = parts
  const limit = 2 * places
  const claims = new Set<Promise<unknown>>()
  const attempts = new Set<Promise<Outcome>>()
  let dropped: Lease[] = []
  let abandoned = 0

  const putOff = createPutOff({ ...parts, release: (leases, at) => deliveries.release(leases, instant(at)) })

  /** The attempt, in its turn; none where that would be long in coming and it is to be `soon` or not at all. */
  const attemptInTurn = (
    delivery: ClaimedDelivery,
    leaseUntil: Date,
    of: Queued,
    soon: boolean,
  ): Promise<Outcome> => {
    // Nothing is sent: this takes nobody's place.
    if (delivery.payment === null) return attempt(delivery, leaseUntil)
    let isSettled = false
    const task = () => {
      isSettled = true
      return attempt(delivery, leaseUntil)
    }
    const { merchantId, paymentId, fence } = delivery
    const giveBackUnless = (outcome: Outcome) => {
      if (!isSettled) dropped.push({ merchantId, paymentId, fence })
      return outcome
    }
    if (!soon) return window.run(of, task).then(giveBackUnless)
    const onPutOff = (silent: boolean) => {
      isSettled = true
      putOff.add({ merchantId, paymentId, fence }, silent)
    }
    return window.runSoon(of, task, onPutOff).then(giveBackUnless)
  }

  const giveBack = async () => {
    const leases = dropped
    dropped = []
    if (leases.length > 0) await deliveries.release(leases, instant(await now()))
    return leases.length
  }

  const claim = async (at: Instant | null, soon: boolean): Promise<Claim> => {
    const leaseUntil = after(await now(), leaseSeconds)
    const exceptMerchants = window.crowd()
    const before = abandoned
    const claimed = await deliveries.claim({
      now: at,
      leaseUntil: instant(leaseUntil),
      limit,
      exceptMerchants,
    })
    if (before !== abandoned) {
      dropped.push(...claimed)
      await giveBack()
      return { started: [], full: false, all: true }
    }
    const started: Promise<Outcome>[] = []
    const aside: Promise<Outcome>[] = []
    const receiverOf = createReceivers()
    for (const delivery of claimed) {
      const { merchantId, webhookUrl, failingSince } = delivery
      const of = { ...receiverOf(webhookUrl), merchantId, failing: failingSince !== null }
      const outcome = attemptInTurn(delivery, leaseUntil, of, soon)
      started.push(kept(attempts, outcome))
      if (delivery.payment === null) aside.push(outcome)
    }
    // However many of these there are, they are set aside no faster than they are claimed.
    await Promise.allSettled(aside)
    const full = claimed.length >= limit
    await putOff.done(full)
    return { started, full, all: exceptMerchants.length === 0 }
  }

  return {
    claim: at => kept(claims, claim(at, false)),
    claimSoon: at => kept(claims, claim(at, true)),
    async claimed() {
      await Promise.allSettled(claims)
      return [...attempts]
    },
    async settled() {
      while (claims.size + attempts.size > 0) await Promise.allSettled([...claims, ...attempts])
    },
    abandon() {
      abandoned++
      claims.clear()
      attempts.clear()
    },
    giveBack,
  }
}

/**
 * Receivers are told apart by origin and path: the merchants of one shop platform share an origin, those of one shop may
 * share the path. Each URL is read once.
 */
function createReceivers(): (webhookUrl: string | null) => Pick<Queued, 'origin' | 'path'> {
  const receivers = new Map<string, Pick<Queued, 'origin' | 'path'>>()
  return text => {
    if (text === null) return { origin: '' }
    const url = receivers.has(text) ? null : URL.parse(text)
    const read = url
      ? { origin: url.origin, path: url.pathname.split('/', PARTS + 1).slice(1) }
      : { origin: '' }
    const receiver = receivers.get(text) ?? read
    receivers.set(text, receiver)
    return receiver
  }
}

/** `promise`, in `set` until it settles. */
function kept<T>(set: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  set.add(promise)
  const forget = () => set.delete(promise)
  promise.then(forget, forget)
  return promise
}
