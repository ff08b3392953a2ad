import type { Outcome } from './attempt.ts'
import { createLanes } from './lanes.ts'

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
  receiver: string
  merchantId: string
  start: () => void
  drop: () => void
}

/**
 * A receiver may take a quarter of the places; one whose last attempt got no answer a thirty-second, so that many dead
 * receivers leave room too. `onRoom` is called when the window becomes hungry or a crowd has thinned out.
 */
export function createFairWindow(places: number, onRoom: () => void): FairWindow {
  const lanes = createLanes<Waiting>(Math.ceil(places / 4), Math.ceil(places / 32))
  const crowded = Math.ceil(places / 2)
  let inFlight = 0
  let wasHungry = true
  let closed = false

  /** What waits for receivers that have used up their share does not count, up to a bound for memory's sake. */
  const hungry = () => {
    const { all, startable } = lanes.waiting()
    return startable < places && all < places * 8
  }

  const fill = () => {
    let thinned = false
    while (inFlight < places) {
      const next = lanes.next()
      if (!next) break
      inFlight++
      thinned ||= lanes.lengthOf(next.receiver) === crowded - 1
      next.start()
    }
    const isHungry = hungry()
    if (thinned || (isHungry && !wasHungry)) onRoom()
    wasHungry = isHungry
  }

  const leave = (receiver: string, outcome: Outcome) => {
    inFlight--
    lanes.leave(receiver, outcome && outcome !== 'unanswered')
    fill()
  }

  const dropWaiting = () => {
    for (const { drop } of lanes.clear()) drop()
  }

  return {
    run: ({ receiver, merchantId }, task) =>
      new Promise((resolve, reject) => {
        const start = () => {
          const outcome = task()
          outcome.then(resolve, reject)
          outcome.then(
            outcome => leave(receiver, outcome),
            () => leave(receiver, null),
          )
        }
        lanes.add({ receiver, merchantId, start, drop: () => resolve(null) })
        fill()
        if (closed) dropWaiting()
      }),
    hungry,
    crowd: () => lanes.crowd(crowded),
    close() {
      closed = true
      dropWaiting()
    },
    open() {
      closed = false
    },
  }
}
