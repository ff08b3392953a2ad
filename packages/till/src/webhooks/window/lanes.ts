import {
  type Known,
  type Lane,
  laneName,
  type Merchant,
  none,
  type Origin,
  originNamed,
  type Queued,
} from './lane.ts'
import { createLatest } from './latest.ts'
import { createLine, type Line } from './line.ts'
import { roomFor, type Shares, STANDINGS, type Standing } from './shares.ts'

/** One lane for each merchant at each origin: what waits in it, and who has a turn. */
export interface Lanes<Item extends Queued> {
  /** Puts an item at the end of its lane, which stays the same while anything is in it. */
  add(item: Item): Lane<Item>
  /**
   * The next whose merchant and origin have room: origins in turn, and merchants in turn at an origin, the newest every
   * other time unless they answer. It is in flight now.
   */
  next(): Item | null
  /** What `next` gave of the lane is over; `how` is null when the receiver was not asked. */
  leave(lane: Lane<Item>, how: Answer | null): void
  /**
   * Takes out what must be put off now that one more was added to the lane and waits, and says of which standing it is.
   * Where so much waits that there is no more room that is the item itself. Where much waits for merchants of its standing,
   * unless they answer, it is the item too, so that the silent ones keep nobody out; but the first one of a merchant that
   * nobody knows takes the place of the one furthest from its turn, so that who came first and who came last has one.
   */
  putOff(lane: Lane<Item>, much: number, noMore: number): { items: Item[]; standing: Standing } | null
  /** How many wait. */
  waiting(): number
  /** How many of those could start, one after the other, if there were places; counts no further than `most`. */
  startable(most: number): number
  /**
   * The merchants that have enough waiting, or anything where `all` is true and it cannot start: `most` of them, those that
   * answer first, since what is claimed for the others beyond enough is put off, and does not stand before anybody's.
   */
  crowd(all: boolean, most: number): string[]
  isCrowded(item: Item): boolean
  /** Whether enough of the merchant's waits at one of its origins. */
  hasCrowd(merchantId: string): boolean
  /** Takes out whatever waits. */
  clear(): Item[]
}

/** How a receiver answered: soon, late, or not at all. */
export type Answer = 'soon' | 'late' | 'never'

const STANDING_AFTER: Record<Answer, Standing> = { soon: 'answering', late: 'unknown', never: 'silent' }

/** How many merchants are remembered, by how they stand and when they came, while nothing is due for them. */
const MOST_REMEMBERED = 10_000

/** `enough` waiting makes a crowd. */
export function createLanes<Item extends Queued>(shares: Shares, enough: number): Lanes<Item> {
  const lanes = new Map<string, Lane<Item>>()
  const origins = new Map<string, Origin<Item>>()
  const merchants = new Map<string, Merchant<Item>>()
  /** Origins at which somebody of a standing may start, in turn. */
  const ready: Record<Standing, Line<Origin<Item>>> = {
    answering: createLine(),
    unknown: createLine(),
    silent: createLine(),
  }
  const inFlight = none()
  const waiting = none()
  const standings = createLatest<string, Known>(MOST_REMEMBERED)
  /** When lanes came that had no turn yet. */
  const arrivals = createLatest<string, number>(MOST_REMEMBERED)
  let turns = 0

  const laneOf = (item: Item): Lane<Item> => {
    const name = laneName(item)
    const there = lanes.get(name)
    if (there) return there
    const origin = origins.get(item.origin) ?? originNamed<Item>(item.origin, ++turns)
    origins.set(item.origin, origin)
    origin.lanes++
    const known = standings.get(name)
    // Another process may have had its answer since.
    const recovered = known?.standing === 'silent' && !item.failing
    const standing = recovered ? 'unknown' : (known?.standing ?? (item.failing ? 'silent' : 'unknown'))
    const allowance = known?.allowance ?? shares.first
    const id = item.merchantId
    const merchant = merchants.get(id) ?? { id, lanes: new Set(), inFlight: 0 }
    merchants.set(id, merchant)
    const lane: Lane<Item> = {
      ...{ name, origin, merchant, path: item.path ?? [], standing, allowance },
      ...{ waiting: [], inFlight: 0, came: arrivals.get(name) ?? ++turns, begun: false, turn: ++turns },
    }
    lanes.set(name, lane)
    merchant.lanes.add(lane)
    return lane
  }

  /** Those that answer give their places back at once: among them who came first is first. */
  const isNew = ({ standing, begun }: Lane<Item>) => standing !== 'answering' && !begun

  /** Gives the lane and its origin a turn, or none, as there is room for them now. */
  const enlist = (lane: Lane<Item>) => {
    const { origin, standing, merchant } = lane
    const hasRoom = lane.inFlight < lane.allowance && merchant.inFlight < shares.merchant
    const mayStart = hasRoom && lane.waiting.length > 0
    // Who comes back to the line comes to its end.
    if (mayStart && !origin.turns[standing].has(lane)) lane.turn = ++turns
    if (mayStart) origin.turns[standing].add(lane, isNew(lane))
    else origin.turns[standing].delete(lane)
    if (!STANDINGS.some(one => ready[one].has(origin))) origin.turn = ++turns
    for (const one of STANDINGS) {
      const may = origin.turns[one].size > 0 && roomFor(one, origin.inFlight, shares.origin) > 0
      if (may) ready[one].add(origin, one !== 'answering' && !origin.begun)
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

  /** Those that are late take what nobody else has use for, and give it back once half of the places are taken. */
  const isScarce = () => 2 * (inFlight.answering + inFlight.unknown + inFlight.silent) >= shares.window.all
  const one = {
    more: (before: number) => Math.min(before + 1, shares.merchant),
    less: (before: number) => Math.max(before - 1, shares.first),
  }
  const allowanceAfter: Record<Answer, (before: number) => number> = {
    soon: one.more,
    late: before => one[isScarce() ? 'less' : 'more'](before),
    never: () => shares.first,
  }

  const stand = (lane: Lane<Item>, how: Answer) => {
    lane.allowance = allowanceAfter[how](lane.allowance)
    const standing = STANDING_AFTER[how]
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
    const { standing, allowance } = lane
    if (standing !== 'unknown' || allowance > shares.first) standings.set(lane.name, { standing, allowance })
    else if (lane.begun) standings.delete(lane.name)
    if (!lane.begun) arrivals.set(lane.name, lane.came)
    else arrivals.delete(lane.name)
    lanes.delete(lane.name)
    merchant.lanes.delete(lane)
    if (merchant.lanes.size === 0) merchants.delete(merchant.id)
    if (--origin.lanes === 0) origins.delete(origin.name)
  }

  /** The last ones, all when no number is given. */
  const takeOut = (lane: Lane<Item>, count = lane.waiting.length) => {
    const items = lane.waiting.splice(-count)
    const { standing } = lane
    waiting[standing] -= items.length
    enlist(lane)
    forgetIfIdle(lane)
    return { items, standing }
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
        const lane = ready[standing].first()?.turns[standing].first()
        if (lane && (!first || isBefore(lane, first))) first = lane
      }
      if (!first) return null
      const { standing } = first
      const origin = ready[standing].take()
      const lane = origin?.turns[standing].take()
      const item = lane?.waiting.shift()
      if (!origin || !lane || !item) return null
      waiting[standing]--
      lane.inFlight++
      lane.merchant.inFlight++
      lane.begun = true
      origin.begun = true
      count(lane, 1)
      for (const one of STANDINGS) ready[one].delete(origin)
      enlistAll(lane.merchant)
      return item
    },

    leave(lane, how) {
      lane.inFlight--
      lane.merchant.inFlight--
      count(lane, -1)
      if (how !== null) stand(lane, how)
      enlistAll(lane.merchant)
      forgetIfIdle(lane)
    },

    putOff(lane, much, noMore) {
      const { standing } = lane
      const all = waitingInAll()
      // What room is left at last is for those that answer.
      if (all > (standing === 'answering' ? noMore : noMore - much)) return takeOut(lane, 1)
      if (standing === 'answering') return null
      const isMuch = waiting[standing] > much
      if (standing === 'silent' && (isMuch || lane.waiting.length > 2 * shares.first)) return takeOut(lane, 1)
      if (!isMuch) return null
      if (lane.begun || lane.waiting.length > 1) return takeOut(lane, 1)
      const { count, middle } = lane.origin.turns.unknown.newcomers()
      // Few are through before the leases end.
      if (!middle || count <= 4 * shares.origin.all) return null
      return middle.waiting.every(({ stays }) => !stays) ? takeOut(middle) : takeOut(lane)
    },

    waiting: waitingInAll,

    startable(most) {
      const answering = waitingAt('answering', most)
      if (answering >= most) return most
      const others = (standing: Standing) =>
        Math.min(waitingAt(standing, most), roomFor(standing, { ...inFlight, answering: 0 }, shares.window))
      return Math.min(most, answering + others('unknown') + others('silent'))
    },

    crowd(everybody, most) {
      const named = new Set<string>()
      const byStanding = STANDINGS.flatMap(one => [...lanes.values()].filter(lane => lane.standing === one))
      for (const lane of byStanding) {
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

    hasCrowd(merchantId) {
      for (const lane of merchants.get(merchantId)?.lanes ?? []) if (isEnough(lane)) return true
      return false
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
