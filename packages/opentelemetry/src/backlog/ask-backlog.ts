import type { WatchedTill } from '../options.ts'

/** How much there is to do, over all merchants. */
export interface Backlog {
  /** For how many seconds the oldest pending payment has been pending; 0 where none is. */
  pendingAge: number
  /** Deliveries that are neither delivered nor given up. */
  pending: number
  /** Those of them whose time has come and that nobody has taken up. */
  due: number
  /** For how many seconds the one that is due the longest has been; 0 where none is. */
  lag: number
  /** Deliveries that were given up. */
  exhausted: number
  /** Merchants whose endpoint is paused. */
  pausedEndpoints: number
}

/** Asks a till: the counts of its deliveries, and one payment. */
export async function askBacklog(till: WatchedTill): Promise<Backlog> {
  const [counts, unresolved, now] = await Promise.all([
    till.webhooks.counts(),
    till.payments.unresolved({ olderThanSeconds: 0, limit: 1 }),
    till.now(),
  ])
  const age = (date: string | undefined | null) =>
    date == null ? 0 : Math.max(0, (now.getTime() - Date.parse(date)) / 1000)
  const { pending, due, oldestDueAt, exhausted, pausedEndpoints } = counts
  const pendingAge = age(unresolved.items[0]?.date)
  return { pendingAge, pending, due, lag: age(oldestDueAt), exhausted, pausedEndpoints }
}
