import type { Outcome } from './attempt.ts'

/** A sliding window of attempts: as many places as there are, filled again one by one, fairly between receivers. */
export interface FairWindow {
  /** Runs `task` when there is a place; null when it was dropped before its turn. */
  run(of: { receiver: string; merchantId: string }, task: () => Promise<Outcome>): Promise<Outcome>
  /** Whether more should be claimed. */
  hungry(): boolean
  /** The merchants of whose deliveries enough are waiting. */
  crowd(): string[]
  /** Drops what waits, and from now on whatever would have to wait. */
  close(): void
  open(): void
}

interface Waiting {
  merchantId: string
  start: () => void
  drop: () => void
}

interface Lane {
  receiver: string
  waiting: Waiting[]
  inFlight: number
}

/**
 * Each receiver, an origin, has a lane, and free places go to the lanes in turn. A lane may take a quarter of the places;
 * one whose last attempt got no answer a thirty-second, so that many dead receivers leave room too. `onRoom` is called
 * when the window becomes hungry or a crowded lane has thinned out.
 */
export function createFairWindow(places: number, onRoom: () => void): FairWindow {
  const share = Math.ceil(places / 4)
  const smallShare = Math.ceil(places / 32)
  const crowded = Math.ceil(places / 2)
  const lanes = new Map<string, Lane>()
  const ready = new Set<Lane>()
  const unresponsive = new Set<string>()
  let inFlight = 0
  let waiting = 0
  let wasHungry = true
  let closed = false

  const isReady = (lane: Lane) =>
    lane.waiting.length > 0 && lane.inFlight < (unresponsive.has(lane.receiver) ? smallShare : share)

  /** What waits for receivers that have used up their share does not count, up to a bound for memory's sake. */
  const hungry = () => {
    if (waiting >= places * 8) return false
    let startable = 0
    for (const lane of ready) startable += lane.waiting.length
    return startable < places
  }

  const fill = () => {
    let thinned = false
    while (inFlight < places) {
      const [lane] = ready
      if (!lane) break
      ready.delete(lane)
      const next = lane.waiting.shift()
      lane.inFlight++
      inFlight++
      waiting--
      thinned ||= lane.waiting.length === crowded - 1
      if (isReady(lane)) ready.add(lane)
      next?.start()
    }
    const isHungry = hungry()
    if (thinned || (isHungry && !wasHungry)) onRoom()
    wasHungry = isHungry
  }

  const leave = (lane: Lane, outcome: Outcome) => {
    inFlight--
    lane.inFlight--
    if (outcome === 'unanswered') unresponsive.add(lane.receiver)
    else if (outcome !== null) unresponsive.delete(lane.receiver)
    if (isReady(lane)) ready.add(lane)
    if (lane.inFlight === 0 && lane.waiting.length === 0) lanes.delete(lane.receiver)
    fill()
  }

  const dropWaiting = () => {
    ready.clear()
    for (const lane of lanes.values()) {
      waiting -= lane.waiting.length
      for (const { drop } of lane.waiting.splice(0)) drop()
      if (lane.inFlight === 0) lanes.delete(lane.receiver)
    }
  }

  return {
    run({ receiver, merchantId }, task) {
      const lane = lanes.get(receiver) ?? { receiver, waiting: [], inFlight: 0 }
      lanes.set(receiver, lane)
      return new Promise((resolve, reject) => {
        const start = () => {
          const settled = task()
          settled.then(resolve, reject)
          settled.then(
            outcome => leave(lane, outcome),
            () => leave(lane, null),
          )
        }
        lane.waiting.push({ merchantId, start, drop: () => resolve(null) })
        waiting++
        if (isReady(lane)) ready.add(lane)
        fill()
        if (closed) dropWaiting()
      })
    },
    hungry,
    crowd: () => [
      ...new Set(
        [...lanes.values()]
          .filter(lane => lane.waiting.length >= crowded)
          .flatMap(lane => lane.waiting.map(({ merchantId }) => merchantId)),
      ),
    ],
    close() {
      closed = true
      dropWaiting()
    },
    open() {
      closed = false
    },
  }
}
