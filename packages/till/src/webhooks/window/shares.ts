/**
 * How a merchant has answered at an origin: `answering` where its last attempt got an answer soon, `silent` where it got
 * none, `unknown` where there was none yet, or it was late.
 */
export type Standing = 'answering' | 'unknown' | 'silent'

export const STANDINGS: readonly Standing[] = ['answering', 'unknown', 'silent']

/** How many are in flight, by standing. */
export type Tally = Record<Standing, number>

/** How many may be in flight: in all, of those that have not answered yet, late or not of late, and of those that did not. */
export interface Limits {
  all: number
  doubtful: number
  silent: number
}

/** How the places of a window are shared out. */
export interface Shares {
  window: Limits
  /** Of one origin. */
  origin: Limits
  /** The most that one merchant may ever have in flight: it never takes the last of an origin's. */
  merchant: number
  /**
   * What a merchant at an origin begins with, and falls back to when it does not answer. Each answer earns one more; a late
   * one costs one instead while half of the places are taken.
   */
  first: number
}

/**
 * An origin gets a quarter of the places, two at least, so that a neighbour of one that hangs has one. Of the window, and
 * of each origin's share, an eighth is kept for merchants that answer, and those that do not share a quarter.
 */
export function sharesOf(places: number): Shares {
  const origin = Math.min(places, Math.max(2, Math.ceil(places / 4)))
  const merchant = Math.max(1, origin - Math.max(1, Math.floor(origin / 4)))
  const first = Math.min(Math.ceil(places / 32), merchant)
  return { window: limitsOf(places), origin: limitsOf(origin), merchant, first }
}

function limitsOf(all: number): Limits {
  return { all, doubtful: all - Math.floor(all / 8), silent: Math.max(1, Math.floor(all / 4)) }
}

/** How many more of a standing may be in flight. */
export function roomFor(standing: Standing, { answering, unknown, silent }: Tally, limits: Limits): number {
  const all = limits.all - answering - unknown - silent
  if (standing === 'answering') return Math.max(0, all)
  const doubtful = Math.min(all, limits.doubtful - unknown - silent)
  return Math.max(0, standing === 'unknown' ? doubtful : Math.min(doubtful, limits.silent - silent))
}
