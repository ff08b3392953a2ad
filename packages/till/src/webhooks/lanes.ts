/** One lane a receiver: who waits in it, and who has a turn. */
export interface Lanes<Item extends { receiver: string; merchantId: string }> {
  /** Puts an item at the end of its receiver's lane. */
  add(item: Item): void
  /** The next whose receiver has not used up its share, receivers in turn; it counts as in flight from now on. */
  next(): Item | null
  /** What `next` gave is over; `answered` is null when the receiver was not asked. */
  leave(receiver: string, answered: boolean | null): void
  /** How many wait, and how many of them for a receiver that has not used up its share. */
  waiting(): { all: number; startable: number }
  /** The merchants that wait in lanes of `length` or more. */
  crowd(length: number): string[]
  /** How many wait for `receiver`. */
  lengthOf(receiver: string): number
  /** Takes out whatever waits. */
  clear(): Item[]
}

/** A receiver's share is `share` in flight, or `smallShare` as long as its last attempt got no answer. */
export function createLanes<Item extends { receiver: string; merchantId: string }>(
  share: number,
  smallShare: number,
): Lanes<Item> {
  interface Lane {
    waiting: Item[]
    inFlight: number
  }
  const lanes = new Map<string, Lane>()
  const withTurn = new Set<Lane>()
  const unresponsive = new Set<string>()
  let all = 0

  const enlist = (receiver: string, lane: Lane) => {
    const limit = unresponsive.has(receiver) ? smallShare : share
    if (lane.waiting.length > 0 && lane.inFlight < limit) withTurn.add(lane)
  }

  return {
    add(item) {
      const lane = lanes.get(item.receiver) ?? { waiting: [], inFlight: 0 }
      lanes.set(item.receiver, lane)
      lane.waiting.push(item)
      all++
      enlist(item.receiver, lane)
    },

    next() {
      const [lane] = withTurn
      const item = lane?.waiting.shift()
      if (!lane || !item) return null
      lane.inFlight++
      all--
      withTurn.delete(lane)
      enlist(item.receiver, lane)
      return item
    },

    leave(receiver, answered) {
      if (answered === false) unresponsive.add(receiver)
      if (answered === true) unresponsive.delete(receiver)
      const lane = lanes.get(receiver)
      if (!lane) return
      lane.inFlight--
      enlist(receiver, lane)
      if (lane.inFlight === 0 && lane.waiting.length === 0) lanes.delete(receiver)
    },

    waiting() {
      let startable = 0
      for (const lane of withTurn) startable += lane.waiting.length
      return { all, startable }
    },

    crowd(length) {
      const merchants = [...lanes.values()]
        .filter(lane => lane.waiting.length >= length)
        .flatMap(lane => lane.waiting.map(({ merchantId }) => merchantId))
      return [...new Set(merchants)]
    },

    lengthOf: receiver => lanes.get(receiver)?.waiting.length ?? 0,

    clear() {
      const cleared = [...lanes.values()].flatMap(lane => lane.waiting.splice(0))
      withTurn.clear()
      for (const [receiver, lane] of lanes) if (lane.inFlight === 0) lanes.delete(receiver)
      all = 0
      return cleared
    },
  }
}
