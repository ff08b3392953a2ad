import { type Html, html } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import { asked, type Day } from '../../days/day.ts'
import { type MerchantDay, merchantDayOf } from '../../days/outcomes.ts'
import type { Visit } from '../../routing/visit.ts'
import { type EndpointState, endpointState } from '../../show/endpoint-state.ts'
import { state } from '../../show/facts.ts'
import { type Column, table } from '../../show/table.ts'
import { dayColumns } from './most-taken.ts'

/** Each merchant takes a few reads: so many on a page. */
const SHOWN = 10

/** A merchant's day, and how the merchant is now. */
interface Row extends MerchantDay {
  pending: number
  endpoint: EndpointState
}

/** The day of some merchants, by id, and a link to the next; null while it is counted. */
export async function merchantDays(visit: Visit, day: Day): Promise<Html | null> {
  const { till, query, to, settings } = visit
  const { formats } = settings
  const after = query.get('after') ?? ''
  const found = await till.merchants.list({ ...(after !== '' && { after }), limit: SHOWN + 1 })
  const rows = await visit.counting.within(`merchants ${day.date} ${after}`, () =>
    Promise.all(found.slice(0, SHOWN).map(merchant => rowOf(visit, merchant, day))),
  )
  if (rows === null) return null
  const columns: Column<Row>[] = [
    ...dayColumns(visit, day),
    { heading: 'Pending now', kind: 'number', cell: ({ pending }) => formats.count(pending) },
    { heading: 'Webhooks', cell: ({ endpoint }) => state(endpoint) },
  ]
  const more =
    found.length > SHOWN &&
    html`<p><a href="${to('/today', { ...asked(day), after: rows.at(-1)?.merchant.id })}">The next merchants</a></p>`
  return html`${table('By merchant', columns, rows, 'There are none.')}${more}`
}

async function rowOf({ till, settings: { timeZone } }: Visit, merchant: Merchant, day: Day): Promise<Row> {
  const pending = { filter: { status: ['pending' as const] }, perPage: 1 }
  const [taken, { total }, health] = await Promise.all([
    merchantDayOf(till, merchant, day, timeZone),
    till.payments.list(merchant.id, pending),
    till.webhooks.endpoint(merchant.id),
  ])
  return {
    ...taken,
    pending: total,
    endpoint: endpointState(merchant, health),
  }
}
