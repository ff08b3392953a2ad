import { ApiError } from '../api-error.ts'
import type { Page, PageQuery } from '../page.ts'
import type { ListedPayment } from '../payments/payment.ts'
import { deadlineIn, pause } from '../transport/deadline.ts'
import { asTold } from '../transport/retry-delay.ts'

const PER_PAGE = 100
/** What the API says when a period is not ready, for answers without it, and those that say 0: a walk would ask without a pause. */
const USUAL_SECONDS = 2

/** The payments of a period, which once it is shown is the same for ever: page by page, after waiting for it to be ready. */
export async function* walkPeriod(
  list: (query: PageQuery) => Promise<Page<ListedPayment>>,
  waitSeconds: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedPayment, void, undefined> {
  const deadline = deadlineIn(waitSeconds, signal)
  let page: number | null = 1
  while (page !== null) {
    let answer: Page<ListedPayment>
    try {
      answer = await list({ perPage: PER_PAGE, page })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_ready') throw error
      const wait = asTold(error.retryAfter || USUAL_SECONDS)
      if (wait >= deadline.left()) throw error
      await pause(wait, signal)
      continue
    }
    yield* answer.items
    page = answer.nextPage
  }
}
