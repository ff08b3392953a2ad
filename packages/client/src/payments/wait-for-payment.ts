import { ApiError } from '../api-error.ts'
import type { Page } from '../page.ts'
import { type Deadline, deadlineIn, pause } from '../transport/deadline.ts'
import type { QueryValue } from '../transport/request.ts'
import { passes } from '../transport/send.ts'
import type { ListedPayment } from './payment.ts'

/** Asks for a page of payments within a deadline. */
export type ListBefore = (
  query: Record<string, QueryValue>,
  deadline: Deadline,
) => Promise<Page<ListedPayment>>

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 4000
const MOST = 100

/**
 * The completed payment that matches, or where all have been refused the newest of them; null when the time is over and
 * none has its outcome. Rejects with what the last question failed with, where it failed.
 */
export async function waitForPayment(
  list: ListBefore,
  filter: Record<string, QueryValue>,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<ListedPayment | null> {
  if (seconds === 0) return outcomeOf(list, filter, deadlineIn(LAST_LOOK_SECONDS, signal))
  const deadline = deadlineIn(seconds, signal)
  let hasAnswered = false
  for (let wait = FIRST_PAUSE; ; wait = Math.min(LONGEST_PAUSE, wait * 1.5)) {
    let failure: ApiError | null = null
    try {
      const found = await outcomeOf(list, filter, deadline)
      if (found !== null) return found
      hasAnswered = true
    } catch (error) {
      if (!(error instanceof ApiError) || !passes(error)) throw error
      failure = error
    }
    const next = Math.max(wait * (1 + Math.random() / 4), (failure?.retryAfter ?? 0) * 1000)
    if (next >= deadline.left()) {
      if (failure !== null && !(failure.code === 'timeout' && hasAnswered)) throw failure
      if (failure !== null || deadline.left() <= 0) return null
      // One last look at the end, for who pays in the last second.
      await pause(deadline.left(), signal)
      return outcomeOf(list, filter, deadlineIn(LAST_LOOK_SECONDS, signal))
    }
    await pause(next, signal)
  }
}

const LAST_LOOK_SECONDS = 5

async function outcomeOf(list: ListBefore, filter: Record<string, QueryValue>, deadline: Deadline) {
  const { items, total } = await list({ ...filter, perPage: MOST }, deadline)
  const completed = items.find(({ status }) => status === 'completed')
  if (completed !== undefined) return completed
  if (total > items.length) {
    // In this order: what ceases to be pending between the two is completed in the second.
    const pending = await list({ ...filter, status: 'pending', perPage: 1 }, deadline)
    const older = await list({ ...filter, status: 'completed', perPage: 1 }, deadline)
    if (older.items[0] !== undefined) return older.items[0]
    if (pending.items.length > 0) return null
  }
  // Whoever is still paying may yet succeed, so that a refusal before it is not the outcome.
  if (items.some(({ status }) => status === 'pending')) return null
  return items[0] ?? null
}
