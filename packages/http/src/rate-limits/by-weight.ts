import { LRUCache } from 'lru-cache'
import type { HttpResponse } from '../handler.ts'
import { fewAtOnce } from './few-at-once.ts'
import { type Standing, tooManyRequests } from './limit.ts'

/** An answer counts as one request more for each of these that it fills: a page of ordinary payments fills none. */
const BYTES_OF_ONE = 64 * 1024

/** Of so many merchants' lists it is remembered what they weigh. */
const MOST_LISTS = 10_000

/** So many pages of a list are made at once: whatever the last one weighed, each of them may be large. */
const MOST_AT_ONCE = 8

/**
 * As often, what is expected of a list is halved. Of the largest pages one a second fits: who waits until `MOST_AT_ONCE` are let in
 * at once gets no more than who asks for one after the other.
 */
const HALVED_EVERY_MS = 2000

/** Counts so many more for a request that was admitted; null where nothing counts. */
export type Charge = (points: number) => Promise<Standing | null>

/** Makes an answer, and counts it by its weight. `pages` is whether it is one of a list's. */
export type ByWeight = (
  resource: string,
  pages: boolean,
  charge: Charge,
  answer: () => Promise<HttpResponse>,
) => Promise<HttpResponse>

/** What an answer weighed, and when. */
interface Weighed {
  weight: number
  at: number
}

/**
 * Counts answers by their length, which is what they cost to make. What a large one of a list weighed is counted before the next is
 * made; the rest when its length is known. Only time lets it be forgotten: small answers and refusals say nothing of the next. Since
 * a list may hold large pages beside small ones, a few are made at once and the others wait for a moment to learn what these weigh: of
 * many at once no more than these few are made beyond what fits. At most `most` are counted before: what weighs more than the
 * whole limit can be had alone.
 */
export function byWeight(most: number): ByWeight {
  // Where nothing counts there is nothing to wait for.
  if (most === Number.POSITIVE_INFINITY) return (_resource, _pages, _charge, answer) => answer()

  const weighed = new LRUCache<string, Weighed>({ max: MOST_LISTS })
  const inLine = fewAtOnce(MOST_AT_ONCE)

  function expected(resource: string): number {
    const last = weighed.get(resource)
    if (last === undefined) return 0
    // Also of one that is always refused: a limiter that does not say how much it allows might allow less than this for good.
    return Math.floor(last.weight / 2 ** Math.floor((performance.now() - last.at) / HALVED_EVERY_MS))
  }

  async function counted(
    resource: string,
    charge: Charge,
    answer: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const before = Math.min(expected(resource), most)
    if (before > 0) {
      const standing = await charge(before)
      if (standing && !standing.allowed) return tooManyRequests(standing)
    }
    const response = await answer()
    const weight = weightOf(response)
    if (weight > 0 && weight >= expected(resource)) weighed.set(resource, { weight, at: performance.now() })
    if (weight > before) await charge(weight - before)
    return response
  }

  return (resource, pages, charge, answer) =>
    pages ? inLine(resource, () => counted(resource, charge, answer)) : counted(resource, charge, answer)
}

function weightOf({ headers }: HttpResponse): number {
  return Math.floor(Number(headers['Content-Length'] ?? 0) / BYTES_OF_ONE)
}
