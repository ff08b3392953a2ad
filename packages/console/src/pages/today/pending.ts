import { type Html, html } from '@tillkit/http'
import type { MerchantVisit, Visit } from '../../routing/visit.ts'
import { facts } from '../../show/facts.ts'

/** Ages, oldest first, each with the least seconds that it takes. */
const AGES = [
  ['a day and more', 86_400],
  ['an hour to a day', 3600],
  ['ten minutes to an hour', 600],
  ['less than ten minutes', 0],
] as const

/** How many are looked at where they are counted over all merchants. */
const LOOKED_AT = 1000

/** How many payments are pending, by age. */
export interface PendingByAge {
  /** In the order of the ages. */
  counts: number[]
  /** Whether there are more than were looked at, all of them younger. */
  more: boolean
}

/** Of one merchant: each age is a total of a list, which costs no reading. */
export async function pendingOf({ till, merchant }: MerchantVisit, now: Date): Promise<PendingByAge> {
  const olderThan = await Promise.all(
    AGES.map(async ([, seconds]) => {
      const endDate = new Date(now.getTime() - seconds * 1000 + (seconds === 0 ? 1000 : 0)).toISOString()
      const filter = { status: ['pending' as const], endDate }
      return (await till.payments.list(merchant.id, { filter, perPage: 1 })).total
    }),
  )
  return { counts: olderThan.map((count, n) => Math.max(count - (olderThan[n - 1] ?? 0), 0)), more: false }
}

/** Of all: the oldest thousand are looked at. */
export async function pendingOfAll({ till }: Visit, now: Date): Promise<PendingByAge> {
  const { items, after } = await till.payments.unresolved({ olderThanSeconds: 0, limit: LOOKED_AT })
  const counts = AGES.map(() => 0)
  for (const { date } of items) {
    const age = (now.getTime() - Date.parse(date)) / 1000
    const at = AGES.findIndex(([, seconds]) => age >= seconds)
    const place = at < 0 ? AGES.length - 1 : at
    counts[place] = (counts[place] ?? 0) + 1
  }
  return { counts, more: after !== null }
}

/** Them as facts. */
export function pendingFacts({ settings: { formats } }: Visit, { counts, more }: PendingByAge): Html {
  return html`${facts(AGES.map(([words], n) => [words, formats.count(counts[n] ?? 0)]))}
${more && html`<p class="soft">The oldest ${formats.count(LOOKED_AT)} are counted; there are more that are younger.</p>`}`
}
