import type { Outcome } from '../worker/attempt.ts'
import type { Lane, Queued } from './lane.ts'
import { type Answer, createLanes } from './lanes.ts'
import { sharesOf } from './shares.ts'

/** A sliding window of attempts: as many places as there are, filled again one by one, fairly between merchants. */
export interface FairWindow {
  /** Runs `task` when there is a place; null when it was dropped before its turn. */
  run(of: Queued, task: () => Promise<Outcome>): Promise<Outcome>
  /**
   * The same, unless so much waits that its turn would be long in coming, now or when more has come: then it is dropped,
   * and `onPutOff` called, which is told whether that is its own merchant's fault.
   */
  runSoon(of: Queued, task: () => Promise<Outcome>, onPutOff: (silent: boolean) => void): Promise<Outcome>
  /** Whether more should be claimed. */
  hungry(): boolean
  /** Whether one more of the merchant should be leased beside `coming` others that are on their way. */
  hasRoomFor(merchantId: string, coming: number): boolean
  /** Whether no more should be waiting. */
  full(): boolean
  /** Whether anything that had to wait was started since this was last asked. */
  moved(): boolean
  /** How many attempts are under way. */
  inFlight(): number
  /** Whether anything waits for a place. */
  waits(): boolean
  /** When an attempt last ended, as `performance.now()` has it; 0 before the first. */
  endedAt(): number
  /** Merchants of whose deliveries enough are waiting: a hundred of them at most, since a claim names each. */
  crowd(): string[]
  /** Drops what waits, and from now on whatever would have to wait. */
  close(): void
  open(): void
}

const ANSWERS: Record<NonNullable<Outcome>, Answer | null> = {
  delivered: 'soon',
  'delivered late': 'late',
  answered: 'soon',
  'answered late': 'late',
  unanswered: 'never',
  unasked: null,
}

interface Waiting extends Queued {
  started: boolean
  start: () => void
  drop: () => void
  onPutOff: (silent: boolean) => void
}

/**
 * From how many windows full on no more is claimed while what waits moves on, and above how many it is put off: a claim, of
 * two windows full, fits between, so that nothing is claimed only to be put off.
 */
const FULL = 6
const MUCH = 8
/** What waits at most, in windows full, for memory's sake. */
const NO_MORE = 32
const LONGEST_CROWD = 100

/**
 * `onRoom` is called when the window becomes hungry, is full no more, or a crowd has thinned out; `onDrained` when it is full
 * no more.
 */
export function createFairWindow(
  places: number,
  onRoom: () => void,
  onDrained: () => void = () => {},
): FairWindow {
  const lanes = createLanes<Waiting>(sharesOf(places), Math.ceil(places / 2))
  let leftOut = new Set<string>()
  let inFlight = 0
  let endedAt = 0
  let anyMoved = false
  let was = { hungry: true, full: false }
  let closed = false

  const hungry = () => lanes.startable(places) < places
  const full = () => lanes.waiting() >= places * FULL

  const fill = (arrived?: Waiting) => {
    let thinned = false
    while (inFlight < places) {
      const next = lanes.next()
      if (!next) break
      inFlight++
      next.started = true
      anyMoved ||= next !== arrived
      if (leftOut.has(next.merchantId) && !lanes.isCrowded(next)) {
        leftOut.delete(next.merchantId)
        thinned = true
      }
      next.start()
    }
    const is = { hungry: hungry(), full: full() }
    const drained = was.full && !is.full
    if (thinned || (is.hungry && !was.hungry) || drained) onRoom()
    if (drained) onDrained()
    was = is
  }

  const leave = (lane: Lane<Waiting>, outcome: Outcome) => {
    inFlight--
    endedAt = performance.now()
    lanes.leave(lane, outcome && ANSWERS[outcome])
    fill()
  }

  const dropWaiting = () => {
    for (const { drop } of lanes.clear()) drop()
  }

  const queue = (
    { origin, merchantId, path, failing }: Queued,
    task: () => Promise<Outcome>,
    onPutOff?: Waiting['onPutOff'],
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const start = () => {
      const outcome = task()
      outcome.then(resolve, reject)
      outcome.then(
        outcome => leave(lane, outcome),
        () => leave(lane, null),
      )
    }
    const item: Waiting = {
      ...{ origin, merchantId, path, failing, stays: !onPutOff, started: false, start },
      ...{ drop: () => resolve(null), onPutOff: onPutOff ?? (() => {}) },
    }
    const lane = lanes.add(item)
    fill(item)
    if (closed) dropWaiting()
    return { item, lane, outcome: promise }
  }

  return {
    run: (of, task) => queue(of, task).outcome,
    runSoon(of, task, onPutOff) {
      const { item, lane, outcome } = queue(of, task, onPutOff)
      const off = item.started ? null : lanes.putOff(lane, places * MUCH, places * NO_MORE)
      for (const one of off?.items ?? []) {
        one.onPutOff(off?.standing === 'silent')
        one.drop()
      }
      return outcome
    },
    hungry,
    hasRoomFor: (merchantId, coming) =>
      !closed && lanes.startable(places) + coming < places && !lanes.hasCrowd(merchantId),
    full,
    inFlight: () => inFlight,
    waits: () => lanes.waiting() > 0,
    endedAt: () => endedAt,
    moved() {
      const moved = anyMoved
      anyMoved = false
      return moved
    },
    crowd() {
      const merchants = lanes.crowd(full(), LONGEST_CROWD)
      leftOut = new Set(merchants)
      return merchants
    },
    close() {
      closed = true
      dropWaiting()
    },
    open() {
      closed = false
    },
  }
}
