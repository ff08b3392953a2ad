import { z } from 'zod'

/** Checks that an option is a whole number within bounds. */
export const whole = (least: number, most: number) => {
  const message = `must be an integer from ${least} to ${most}`
  return z.int(message).min(least, message).max(most, message)
}

/** Which part of a list is wanted (API 4.1). */
export interface PageRequest {
  /** From 1, which is also the default. */
  page?: number | undefined
  /** How many records a page has: 50 when left out, up to 100. */
  perPage?: number | undefined
  /** How many records are skipped before page 1: 0 when left out. */
  offset?: number | undefined
}

/** Checks a `PageRequest`, and fills in what was left out. */
export const pageRequest = z.strictObject({
  page: whole(1, Number.MAX_SAFE_INTEGER).default(1).describe('Which page, from 1.'),
  perPage: whole(1, 100).default(50).describe('How many records a page has.'),
  offset: whole(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('How many records are skipped before page 1.'),
})

/** What a store is asked for: `limit` records after the first `skip`. */
export interface Slice {
  /** How many records come before it. */
  skip: number
  /** How many it has at most. */
  limit: number
}

/** What a store answers: the slice, and how many records the whole query has. */
export interface Page<Item> {
  /** The records of the slice. */
  items: Item[]
  /** How many the whole query has. */
  total: number
}

/** The records that a page stands for: those after `offset + (page - 1) * perPage`. */
export function sliceOf({ page, perPage, offset }: Required<PageRequest>): Slice {
  return { skip: Math.min(offset + (page - 1) * perPage, Number.MAX_SAFE_INTEGER), limit: perPage }
}

/** Where a page stands among its siblings. A neighbour is null when it is not one of `1 … totalPages`. */
export interface PagePosition {
  /** How many pages there are after `offset`; 0 when nothing is left. */
  totalPages: number
  /** The page after it. */
  nextPage: number | null
  /** The page before it. */
  prevPage: number | null
}

/** The position of a page in a query of `total` records (API 4.1). */
export function pagePosition({ page, perPage, offset }: Required<PageRequest>, total: number): PagePosition {
  const totalPages = Math.ceil(Math.max(total - offset, 0) / perPage)
  const within = (candidate: number) => (candidate >= 1 && candidate <= totalPages ? candidate : null)
  return { totalPages, nextPage: within(page + 1), prevPage: within(page - 1) }
}
