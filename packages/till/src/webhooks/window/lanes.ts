import { type Lane, laneName, type Merchant, none, type Origin, originNamed, type Queued } from './lane.ts'
import { roomFor, type Shares, STANDINGS, type Standing } from './shares.ts'
import { createStandings } from './standings.ts'

/** One lane for each merchant at each origin: what waits in it, and who has a turn. */
export interface Lanes<Item extends Queued> {
  /** Puts an item at the end of its lane, which stays the same while anything is in it. */
  add(item: Item): Lane<Item>
  /** The next whose merchant and origin have room: origins in turn, and merchants in turn at an origin. It is in flight now. */
  next(): Item | null
  /** What `next` gave of the lane is over; `answered` is null when the receiver was not asked. */
  leave(lane: Lane<Item>, answered: boolean | null): void
  /** Takes out the item that was added to the lane last, and says whether its merchant is silent. */
  takeBack(lane: Lane<Item>): { silent: boolean }
  /**
   * Whether the turn of what was added last would be long in coming: always where so much waits that there is no more
   * room, and where much waits for merchants of its standing unless they answer, so that the silent ones keep nobody out.
   * A silent one gets through little while a lease lasts.
   */
  isTooMuch(lane: Lane<Item>, much: number, noMore: number): boolean
  /** How many wait. */
  waiting(): number
  /** How many of those could start, one after the other, if there were places; counts no further than `most`. */
  startable(most: number): number
  /** The merchants that have enough waiting, or anything where `all` is true and it cannot start: `most` of them. */
  crowd(all: boolean, most: number): string[]
  isCrowded(item: Item): boolean
  /** Takes out whatever waits. */
  clear(): Item[]
}

/** `enough` waiting makes a crowd. */
export function createLanes<Item extends Queued>(shares: Shares, enough: number): Lanes<Item> {
  const lanes = new Map<string, Lane<Item>>()
  const origins = new Map<string, Origin<Item>>()
  const merchants = new Map<string, Merchant<Item>>()
  /** Origins at which somebody of a standing may start, in turn. */
  const ready = { answering: new Set(), unknown: new Set(), silent: new Set() } as Record<
    Standing,
    Set<Origin<Item>>
  >
  const inFlight = none()
  const waiting = none()
  const standings = createStandings()
  let turns = 0

  const laneOf = (item: Item): Lane<Item> => {
    const name = laneName(item)
    const there = lanes.get(name)
    if (there) return there
    const origin = origins.get(item.origin) ?? originNamed<Item>(item.origin, ++turns)
    origins.set(item.origin, origin)
    origin.lanes++
    const known = standings.recall(name)
    // Another process may have had its answer since.
    const recovered = known?.standing === 'silent' && !item.failing
    const standing = recovered ? 'unknown' : (known?.standing ?? (item.failing ? 'silent' : 'unknown'))
    const allowance = known?.allowance ?? shares.first
    const id = item.merchantId
    const merchant = merchants.get(id) ?? { id, lanes: new Set(), inFlight: 0 }
    merchants.set(id, merchant)
    const lane = { name, origin, merchant, waiting: [], inFlight: 0, standing, allowance, turn: ++turns }
    lanes.set(name, lane)
    merchant.lanes.add(lane)
    return lane
  }

  /** Gives the lane and its origin a turn, or none, as there is room for them now. */
  const enlist = (lane: Lane<Item>) => {
    const { origin, standing, merchant } = lane
    const hasRoom = lane.inFlight < lane.allowance && merchant.inFlight < shares.merchant
    const mayStart = hasRoom && lane.waiting.length > 0
    // Who comes back to the line comes to its end.
    if (mayStart && !origin.turns[standing].has(lane)) lane.turn = ++turns
    if (mayStart) origin.turns[standing].add(lane)
    else origin.turns[standing].delete(lane)
    if (!STANDINGS.some(one => ready[one].has(origin))) origin.turn = ++turns
    for (const one of STANDINGS) {
      const may = origin.turns[one].size > 0 && roomFor(one, origin.inFlight, shares.origin) > 0
      if (may) ready[one].add(origin)
      else ready[one].delete(origin)
    }
  }
  const enlistAll = ({ lanes }: Merchant<Item>) => {
    for (const lane of lanes) enlist(lane)
  }

  const count = (lane: Lane<Item>, by: number) => {
    lane.origin.inFlight[lane.standing] += by
    inFlight[lane.standing] += by
  }

  const stand = (lane: Lane<Item>, answered: boolean) => {
    lane.allowance = answered ? Math.min(lane.allowance + 1, shares.merchant) : shares.first
    const standing = answered ? 'answering' : 'silent'
    if (standing === lane.standing) return
    count(lane, -lane.inFlight)
    waiting[lane.standing] -= lane.waiting.length
    lane.origin.turns[lane.standing].delete(lane)
    lane.standing = standing
    count(lane, lane.inFlight)
    waiting[lane.standing] += lane.waiting.length
  }

  /** Nothing is kept of a lane in which nothing is, but its merchant's standing. */
  const forgetIfIdle = (lane: Lane<Item>) => {
    if (lane.inFlight > 0 || lane.waiting.length > 0) return
    const { merchant, origin } = lane
    if (lane.standing !== 'unknown') standings.remember(lane.name, lane)
    lanes.delete(lane.name)
    merchant.lanes.delete(lane)
    if (merchant.lanes.size === 0) merchants.delete(merchant.id)
    if (--origin.lanes === 0) origins.delete(origin.name)
  }

  const waitingInAll = () => waiting.answering + waiting.unknown + waiting.silent

  const isEnough = ({ waiting, standing }: Lane<Item>) =>
    waiting.length >= (standing === 'silent' ? shares.first : enough)

  const waitingAt = (standing: Standing, most: number) => {
    let found = 0
    for (const origin of ready[standing]) {
      for (const lane of origin.turns[standing]) {
        found += lane.waiting.length
        if (found >= most) return most
      }
    }
    return found
  }

  return {
    add(item) {
      const lane = laneOf(item)
      lane.waiting.push(item)
      waiting[lane.standing]++
      // Behind others of its lane it changes nobody's turn.
      if (lane.waiting.length === 1) enlist(lane)
      return lane
    },

    next() {
      let first: Lane<Item> | undefined
      for (const standing of STANDINGS) {
        if (roomFor(standing, inFlight, shares.window) === 0) continue
        const [origin] = ready[standing]
        const [lane] = origin?.turns[standing] ?? []
        if (lane && (!first || isBefore(lane, first))) first = lane
      }
      const item = first?.waiting.shift()
      if (!first || !item) return null
      const { origin } = first
      waiting[first.standing]--
      first.inFlight++
      first.merchant.inFlight++
      count(first, 1)
      origin.turns[first.standing].delete(first)
      for (const standing of STANDINGS) ready[standing].delete(origin)
      enlistAll(first.merchant)
      return item
    },

    leave(lane, answered) {
      lane.inFlight--
      lane.merchant.inFlight--
      count(lane, -1)
      if (answered !== null) stand(lane, answered)
      enlistAll(lane.merchant)
      forgetIfIdle(lane)
    },

    takeBack(lane) {
      lane.waiting.pop()
      waiting[lane.standing]--
      enlist(lane)
      forgetIfIdle(lane)
      return { silent: lane.standing === 'silent' }
    },

    isTooMuch(lane, much, noMore) {
      if (waitingInAll() > noMore) return true
      if (lane.standing === 'answering') return false
      if (waiting[lane.standing] > much) return true
      return lane.standing === 'silent' && lane.waiting.length > 2 * shares.first
    },

    waiting: waitingInAll,

    startable(most) {
      const answering = waitingAt('answering', most)
      if (answering >= most) return most
      const unknown = Math.min(
        waitingAt('unknown', most),
        roomFor('unknown', { ...inFlight, answering: 0 }, shares.window),
      )
      const silent = Math.min(
        waitingAt('silent', most),
        roomFor('silent', { ...inFlight, answering: 0 }, shares.window),
      )
      return Math.min(most, answering + unknown + silent)
    },

    crowd(everybody, most) {
      const named = new Set<string>()
      for (const lane of lanes.values()) {
        if (named.size === most) break
        const stuck = everybody && lane.waiting.length > 0 && !ready[lane.standing].has(lane.origin)
        if (stuck || isEnough(lane)) named.add(lane.merchant.id)
      }
      return [...named]
    },

    isCrowded: item => {
      const lane = lanes.get(laneName(item))
      return lane !== undefined && isEnough(lane)
    },

    clear() {
      const cleared = [...lanes.values()].flatMap(lane => lane.waiting.splice(0))
      for (const one of STANDINGS) waiting[one] = 0
      for (const lane of [...lanes.values()]) {
        enlist(lane)
        forgetIfIdle(lane)
      }
      return cleared
    },
  }
}

function isBefore<Item>(a: Lane<Item>, b: Lane<Item>): boolean {
  return a.origin === b.origin ? a.turn < b.turn : a.origin.turn < b.origin.turn
}
