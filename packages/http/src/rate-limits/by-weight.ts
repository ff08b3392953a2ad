import { LRUCache } from 'lru-cache'
import type { HttpResponse } from '../handler.ts'
import { type Standing, tooManyRequests } from './limit.ts'

/** An answer counts as one request more for each of these that it fills: a page of ordinary payments fills none. */
const BYTES_OF_ONE = 64 * 1024

/** Of so many merchants' lists it is remembered what they weigh. */
const MOST_LISTS = 10_000

/** Counts so many more for a request that was admitted; null where nothing counts. */
export type Charge = (points: number) => Promise<Standing | null>

/** Makes an answer, and counts it by its weight. */
export type ByWeight = (
  list: string,
  most: number,
  charge: Charge,
  answer: () => Promise<HttpResponse>,
) => Promise<HttpResponse>

/**
 * Counts answers by their length, which is what they cost to make. What the last of a list weighed is counted before the next is made,
 * so that of many at once no more are made than fit; the rest when its length is known. At most `most` are counted before:
 * what weighs more than the whole limit can be had alone. Who asked for a large one and then for small ones is soon counted one again.
 */
export function byWeight(): ByWeight {
  const expected = new LRUCache<string, number>({ max: MOST_LISTS })
  return async (list, most, charge, answer) => {
    const before = Math.min(expected.get(list) ?? 0, most)
    if (before > 0) {
      const standing = await charge(before)
      if (standing && !standing.allowed) {
        // A limiter that does not say how much it allows might allow less than this for good.
        expected.set(list, Math.floor(before / 2))
        return tooManyRequests(standing)
      }
    }
    const response = await answer()
    const weight = weightOf(response)
    const next = Math.max(weight, Math.floor(before / 2))
    if (next > 0) expected.set(list, next)
    else if (before > 0) expected.delete(list)
    if (weight > before) await charge(weight - before)
    return response
  }
}

function weightOf({ headers }: HttpResponse): number {
  return Math.floor(Number(headers['Content-Length'] ?? 0) / BYTES_OF_ONE)
}
