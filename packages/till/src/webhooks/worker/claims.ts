import { after, type Instant, instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore, Lease } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'
import type { FairWindow } from '../window/fair-window.ts'
import type { Queued } from '../window/lane.ts'
import { PARTS } from '../window/turns.ts'
import type { MakeAttempt, Outcome } from './attempt.ts'
import { inTime } from './in-time.ts'
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
  /**
   * Keeps a place for a delivery of the merchant that is about to be written; null where there is none, or the time is not
   * known. Whoever asked for it takes it, with the delivery or without.
   */
  keepPlace(merchantId: string): KeptPlace | null
  /** The attempts of all that is claimed, or being claimed, at this moment. */
  claimed(): Promise<Promise<Outcome>[]>
  /** Resolves when nothing is claimed any more. */
  settled(): Promise<void>
  /** Waits for none of it any more: what is handed out yet is given back. */
  abandon(): void
  /** Gives back the leases of what was claimed and dropped before its turn, so that nobody waits for their end; returns how many. */
  giveBack(): Promise<number>
}

/** A place for a delivery that its outcome hands over, so that nobody claims it. */
export interface KeptPlace {
  /** Until when the delivery is to be leased. */
  leaseUntil: Instant
  /** Makes the attempt of the delivery, in its turn; gives the place up where there is none. Once. */
  take(delivery?: ClaimedDelivery | undefined): void
}

export interface Claim {
  started: Promise<Outcome>[]
  full: boolean
  all: boolean
}

/** For how long a claim waits until what it cannot send is set aside. */
const ASIDE_SECONDS = 1

/** `limit` deliveries at a time, each leased for `leaseSeconds` from before the claim. */
export function createClaims(parts: {
  deliveries: Pick<DeliveryStore, 'claim' | 'release'>
  now: Clock['now']
  known: Clock['known']
  window: FairWindow
  attempt: MakeAttempt
  timeoutSeconds: number
  leaseSeconds: number
  places: number
}): Claims {
  const { deliveries, now, known, window, attempt, leaseSeconds, places } = parts
  const limit = 2 * places
  const claims = new Set<Promise<unknown>>()
  const attempts = new Set<Promise<Outcome>>()
  let dropped: Lease[] = []
  let abandoned = 0
  let keptPlaces = 0
  /** Whether more may be due than was claimed: what is new waits its turn behind it. */
  let isBehind = true

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
    await putOff.done(false)
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
      const outcome = attemptInTurn(delivery, leaseUntil, queuedOf(delivery, receiverOf), soon)
      started.push(kept(attempts, outcome))
      if (delivery.payment === null) aside.push(outcome)
    }
    // However many of these there are, they are set aside hardly faster than they are claimed; one that is locked keeps nobody waiting.
    if (aside.length > 0) await inTime(Promise.all(aside), ASIDE_SECONDS, () => [])
    const full = claimed.length >= limit
    // What goes back, as most of what is for merchants that do not answer, is not waited for.
    isBehind = full && 2 * putOff.count() < claimed.length
    await putOff.done(full)
    return { started, full, all: exceptMerchants.length === 0 }
  }

  const keepPlace = (merchantId: string): KeptPlace | null => {
    if (isBehind || !window.hasRoomFor(merchantId, keptPlaces)) return null
    const at = knownOrNull(known)
    if (at === null) return null
    const leaseUntil = after(at, leaseSeconds)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const before = abandoned
    keptPlaces++
    kept(claims, over)
    const take = (delivery?: ClaimedDelivery) => {
      keptPlaces--
      end()
      if (!delivery) return
      if (before === abandoned) {
        const of = queuedOf(delivery, receiverAt)
        kept(attempts, attemptInTurn(delivery, leaseUntil, of, true))
      } else {
        dropped.push(delivery)
        giveBack().catch(() => {})
      }
    }
    return { leaseUntil: instant(leaseUntil), take }
  }

  return {
    keepPlace,
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

/** The clock's time, where it says one at once: an outcome is recorded whatever it says. */
function knownOrNull(known: Clock['known']): Date | null {
  try {
    return known()
  } catch {
    return null
  }
}

type Receiver = Pick<Queued, 'origin' | 'path'>

/**
 * Receivers are told apart by origin and path: the merchants of one shop platform share an origin, those of one shop may
 * share the path.
 */
function receiverAt(webhookUrl: string | null): Receiver {
  const url = webhookUrl === null ? null : URL.parse(webhookUrl)
  return url ? { origin: url.origin, path: url.pathname.split('/', PARTS + 1).slice(1) } : { origin: '' }
}

/** The same, which reads each URL once. */
function createReceivers(): typeof receiverAt {
  const receivers = new Map<string | null, Receiver>()
  return webhookUrl => {
    const receiver = receivers.get(webhookUrl) ?? receiverAt(webhookUrl)
    receivers.set(webhookUrl, receiver)
    return receiver
  }
}

function queuedOf(
  { merchantId, webhookUrl, failingSince }: ClaimedDelivery,
  receiverOf: typeof receiverAt,
): Queued {
  return { ...receiverOf(webhookUrl), merchantId, failing: failingSince !== null }
}

/** `promise`, in `set` until it settles. */
function kept<T>(set: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  set.add(promise)
  const forget = () => set.delete(promise)
  promise.then(forget, forget)
  return promise
}
