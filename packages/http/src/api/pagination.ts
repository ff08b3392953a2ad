import { pagePosition, pageRequest } from '@tillkit/domain'
import { z } from 'zod'

/** A whole number in decimal digits and nothing else; what is not one is left to `schema` to refuse. */
const digits = z
  .string()
  .optional()
  .transform(text => (text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN))

/** The query parameters of every list (API 4.1). */
export const paginationQuery = z.object({
  page: digits.pipe(pageRequest.shape.page),
  perPage: digits.pipe(pageRequest.shape.perPage),
  offset: digits.pipe(pageRequest.shape.offset),
})

/** The headers of every list (API 4.1). A neighbour that does not exist has none. */
export function paginationHeaders(
  page: z.output<typeof paginationQuery>,
  total: number,
): Record<string, string> {
  const { totalPages, nextPage, prevPage } = pagePosition(page, total)
  const headers: Record<string, string> = {
    'X-Total': String(total),
    'X-Total-Pages': String(totalPages),
    'X-Page': String(page.page),
    'X-Per-Page': String(page.perPage),
    'X-Offset': String(page.offset),
  }
  if (nextPage !== null) headers['X-Next-Page'] = String(nextPage)
  if (prevPage !== null) headers['X-Prev-Page'] = String(prevPage)
  return headers
}
