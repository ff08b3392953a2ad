import { ApiError } from '../api-error.ts'
import type { Page, PageQuery } from '../page.ts'
import { pause } from '../transport/deadline.ts'
import { backoff } from '../transport/retry-delay.ts'
import type { CashUp } from './cash-up.ts'

const PER_PAGE = 100
const MOST_STALE_ANSWERS = 5

/**
 * Every cash up that there was with the first page, newest first, each once. The list grows at its top and nowhere else, so
 * what is below the last one that was given stays as it is; `total` tells how far all has moved.
 */
export async function* walkCashUps(
  list: (query: PageQuery) => Promise<Page<CashUp>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<CashUp, void, undefined> {
  let page = await list({ perPage: PER_PAGE })
  let fresh = page.items
  let left = page.total - fresh.length
  let offset = 0
  let stale = 0
  for (;;) {
    yield* fresh
    const last = page.items.at(-1)?.reference
    if (last === undefined || left <= 0) return
    offset += page.items.length - 1
    for (;;) {
      page = await list({ perPage: PER_PAGE, offset })
      const index = page.items.findIndex(({ reference }) => reference === last)
      if (index >= 0) {
        fresh = page.items.slice(index + 1)
        left = page.total - offset - page.items.length
        break
      }
      // One above it for each new one; a copy of the database that is behind has fewer.
      const here = page.total - left - 1
      if (here === offset || here < 0) {
        if (++stale > MOST_STALE_ANSWERS) throw staleAnswer()
        await pause(backoff(stale), signal)
      }
      offset = Math.max(0, here)
    }
  }
}

function staleAnswer(): ApiError {
  const message = 'The server does not show cash ups any more that it showed before'
  return new ApiError({ status: 200, code: 'unexpected_answer', message })
}
