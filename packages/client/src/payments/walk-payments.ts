import { ApiError } from '../api-error.ts'
import type { Page } from '../page.ts'
import { pause } from '../transport/deadline.ts'
import type { QueryValue } from '../transport/request.ts'
import { backoff } from '../transport/retry-delay.ts'
import type { ListedPayment } from './payment.ts'

/** What a walk needs to know of the outside. */
export interface Walk {
  /** Asks for a page of payments. */
  list(query: Record<string, QueryValue>): Promise<Page<ListedPayment>>
  /** The parameters of the filter. */
  filter: Record<string, QueryValue>
  perPage: number
  signal: AbortSignal | undefined
}

/** How far a walk has come. */
interface Place {
  /** The last payment that was given. */
  id: number
  /** Of the next pages: the end of that payment's second. Later payments are not among them. */
  endDate: string
  /** Where that payment stands in a list of these. */
  index: number
  /** How many are below it. */
  below: number
}

/**
 * Every payment that matches, by descending id, each once. What is above the newest of the first page is not given.
 *
 * The list moves while it is walked: new payments push it down, outcomes and settlements bring members and take them. So no
 * page is trusted to begin where the last one ended. Each asks for payments up to the second of the last one that was given,
 * which fixes the top as soon as that second is over, and is taken only where it begins at that payment or above it; what is
 * below that payment comes next.
 */
export async function* walkPayments(walk: Walk): AsyncGenerator<ListedPayment, void, undefined> {
  const first = await walk.list({ ...walk.filter, perPage: walk.perPage })
  yield* first.items
  let place = placeAfter(first, 0, null)
  let isFull = first.items.length >= first.perPage
  while (place !== null && isFull) {
    const { page, offset } = await pageBelow(walk, place)
    const { id } = place
    yield* page.items.filter(payment => payment.id < id)
    place = placeAfter(page, offset, place)
    isFull = page.items.length >= page.perPage
  }
}

/** The place after a page that joins on to the last one: null where it is empty. */
function placeAfter(
  { items, total }: Page<ListedPayment>,
  offset: number,
  before: Place | null,
): Place | null {
  const last = items.at(-1)
  if (last === undefined) return null
  const endDate = secondAfter(last.date)
  // A page joins on, so all of a second that is not the one before begins in it.
  const sameSecond = before?.endDate === endDate
  const start = sameSecond ? 0 : items.findIndex(({ date }) => secondAfter(date) === endDate)
  const index = (sameSecond ? offset : 0) + items.length - 1 - start
  return { id: last.id, endDate, index, below: total - offset - items.length }
}

function secondAfter(date: string): string {
  return `${new Date(Math.floor(Date.parse(date) / 1000 + 1) * 1000).toISOString().slice(0, 19)}Z`
}

const MOST_STALE_ANSWERS = 5

/** The page that has what comes after a place, with what is known to be above it. */
async function pageBelow({ list, filter, perPage, signal }: Walk, place: Place) {
  let offset = place.index
  let isTooFar = false
  let stale = 0
  for (;;) {
    const page = await list({ ...filter, endDate: place.endDate, perPage, offset })
    const [first, last] = [page.items[0], page.items.at(-1)]
    const joins = first !== undefined && first.id >= place.id
    if (!joins && offset > 0) {
      // Members above have gone, and those below moved up.
      offset = Math.max(0, offset - perPage + 1)
      isTooFar = true
      continue
    }
    if (!joins && !losesMembers(filter)) {
      // A server that has not heard yet of what was seen: a copy of the database that is behind.
      if (++stale > MOST_STALE_ANSWERS) throw staleAnswer()
      await pause(backoff(stale), signal)
      continue
    }
    const isFull = page.items.length >= page.perPage
    if (last === undefined || last.id < place.id || !isFull) return { page, offset }
    // New ones fill the page: as many as there are more of them now, unless that was too far before.
    const here = isTooFar ? 0 : page.total - place.below - 1
    offset = Math.max(offset + page.items.length - 1, here)
  }
}

/** Whether payments leave what the filter keeps: a pending one when it gets its outcome. Nothing else that a filter asks for is undone. */
function losesMembers({ status }: Walk['filter']): boolean {
  if (status === undefined) return false
  const kept = new Set(String(status).split(','))
  return kept.has('pending') && !(kept.has('completed') && kept.has('error'))
}

function staleAnswer(): ApiError {
  const message = 'The server shows fewer payments than it did before, time and again'
  return new ApiError({ status: 200, code: 'unexpected_answer', message })
}
