import { z } from 'zod'

/** A whole number within bounds. */
export const whole = (least: number, most: number) => {
  const message = `must be an integer from ${least} to ${most}`
  return z.int(message).min(least, message).max(most, message)
}

/** `page`, `perPage` and `offset` with their defaults and bounds (specification 4.1). */
export const pageRequest = z.strictObject({
  page: whole(1, Number.MAX_SAFE_INTEGER).default(1),
  perPage: whole(1, 100).default(50),
  offset: whole(0, Number.MAX_SAFE_INTEGER).default(0),
})
export type PageRequest = z.input<typeof pageRequest>

/** What a store is asked for: `limit` records after the first `skip`. */
export interface Slice {
  skip: number
  limit: number
}

/** What a store answers: the slice, and how many records the whole query has. */
export interface Page<Item> {
  items: Item[]
  total: number
}

/** The records that a page stands for: those after `offset + (page - 1) * perPage`. */
export function sliceOf({ page, perPage, offset }: z.output<typeof pageRequest>): Slice {
  return { skip: Math.min(offset + (page - 1) * perPage, Number.MAX_SAFE_INTEGER), limit: perPage }
}

/** Where a page stands among its siblings. A neighbour is null when it is not one of `1 … totalPages`. */
export interface PagePosition {
  totalPages: number
  nextPage: number | null
  prevPage: number | null
}

/** The position of a page in a query of `total` records (specification 4.1). */
export function pagePosition(
  { page, perPage, offset }: z.output<typeof pageRequest>,
  total: number,
): PagePosition {
  const totalPages = Math.ceil(Math.max(total - offset, 0) / perPage)
  const within = (candidate: number) => (candidate >= 1 && candidate <= totalPages ? candidate : null)
  return { totalPages, nextPage: within(page + 1), prevPage: within(page - 1) }
}
