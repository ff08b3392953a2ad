import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../network/answer.ts'
import { itemsOf } from '../rules/kinds.ts'
import { integer } from '../rules/pages.ts'
import type { Session } from '../session/session.ts'
import { type SeenPayment, seenIn } from './seen.ts'

/** So many payments are read to compute filters anew. */
const MOST = 500
const SECOND = 1000
const YOUNG_MS = 3_600_000
/** With fewer payments than these, pending ones are looked at too. */
const ENOUGH = 20

/** All payments of a stretch of time that is over: new ones are dated later. */
export interface Window {
  /** By descending id. */
  payments: SeenPayment[]
  /** The query that keeps the stretch: `startDate=…&endDate=…`, the first only where older payments are left out. */
  query: string
  /** Null where the window has all there were. */
  startDate: string | null
  endDate: string
  /** How many payments there are before `endDate`: the id of the newest of them. */
  before: number
}

/** Reads the newest payments that no other will come between. `first` is the newest page. */
export async function openWindow(session: Session, first: Answer): Promise<Window | null> {
  const end = await endOf(session, first)
  if (end === null) return null
  const query = `endDate=${end}`
  const found: SeenPayment[] = []
  let before = 0
  for (let page = 1; page <= MOST / 100; page++) {
    const answer = await session.get('/payments', `${query}&perPage=100&page=${page}`)
    const items = seenIn(itemsOf(answer))
    if (page === 1) before = integer(answer, 'X-Total') ?? items.length
    found.push(...items)
    if (items.length < 100) break
  }
  if (found.length === 0) return null
  if (found.length >= before) return { payments: found, query, startDate: null, endDate: end, before }

  // Others of the oldest one's second may be left out: the stretch begins with the second after it.
  const oldest = found.at(-1) as SeenPayment
  const startDate = dateAfter(oldest.date, 1)
  const payments = found.filter(({ date }) => date >= startDate)
  if (payments.length === 0) return null
  return { payments, query: `startDate=${startDate}&${query}`, startDate, endDate: end, before }
}

/** A date some seconds later. */
export function dateAfter(date: string, seconds: number): string {
  return new Date(Date.parse(date) + seconds * SECOND).toISOString().replace(/\.\d+Z$/, 'Z')
}

/**
 * The end of a stretch that is over. The newest second is over where the server's clock is past it; where payments come in all
 * the time it is left out.
 */
async function endOf(session: Session, first: Answer): Promise<string | null> {
  const seen = seenIn(itemsOf(first))
  const [newest] = seen
  if (newest === undefined) return null
  // What is pending and young is about to get its outcome: where enough is older, the stretch ends before it.
  const isYoung = ({ date }: SeenPayment) => Math.abs(clockOf(first) - Date.parse(date)) < YOUNG_MS
  const unsettled = seen.findLast(payment => payment.status === 'pending' && isYoung(payment))
  if (unsettled && seen.filter(({ date }) => date < unsettled.date).length >= ENOUGH) return unsettled.date
  const behind = clockOf(first) - Date.parse(newest.date)
  // Dated by a clock of its own, far ahead: nothing is known of when its second ends.
  if (behind < -60 * SECOND || behind >= 2 * SECOND) return dateAfter(newest.date, 1)
  await sleep(2 * SECOND)
  const again = await session.get('/payments', 'perPage=100')
  const [now] = seenIn(itemsOf(again))
  return now?.id === newest.id ? dateAfter(newest.date, 1) : (now?.date ?? null)
}

function clockOf(answer: Answer): number {
  const date = Date.parse(answer.header('date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}
