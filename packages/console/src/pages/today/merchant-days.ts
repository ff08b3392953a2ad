import { type Html, html } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import type { Visit } from '../../routing/visit.ts'
import { state } from '../../show/facts.ts'
import { table } from '../../show/table.ts'
import { type Success, successOf } from '../../success/success.ts'
import type { Today } from './taken.ts'

/** Each merchant takes a few reads: so many on a page. */
const SHOWN = 10

interface Row extends Success {
  merchant: Merchant
  totalAmount: number
  pending: number
  endpoint: 'active' | 'failing' | 'paused' | 'none'
}

/** The day of some merchants, by id, and a link to the next. */
export async function merchantDays(visit: Visit, day: Today): Promise<Html> {
  const { till, query, to, settings } = visit
  const { formats } = settings
  const after = query.get('after') ?? ''
  const found = await till.merchants.list({ ...(after !== '' && { after }), limit: SHOWN + 1 })
  const rows = await Promise.all(found.slice(0, SHOWN).map(merchant => rowOf(visit, merchant, day)))
  const number = 'number' as const
  const columns = [
    {
      heading: 'Merchant',
      cell: ({ merchant: { id, name } }: Row) =>
        html`<a href="${to(merchantPath(id, '/today'))}">${name}</a>`,
    },
    { heading: 'Taken', kind: number, cell: ({ totalAmount }: Row) => formats.amount(totalAmount) },
    { heading: 'Completed', kind: number, cell: ({ completed }: Row) => formats.count(completed) },
    {
      heading: 'Success',
      kind: number,
      cell: ({ completed, failed }: Row) =>
        completed + failed === 0 ? '–' : formats.share(completed / (completed + failed)),
    },
    { heading: 'Pending', kind: number, cell: ({ pending }: Row) => formats.count(pending) },
    { heading: 'Webhooks', cell: ({ endpoint }: Row) => state(endpoint) },
  ]
  const more =
    found.length > SHOWN &&
    html`<p><a href="${to('/today', { after: rows.at(-1)?.merchant.id })}">The next merchants</a></p>`
  return html`${table('Today, by merchant', columns, rows, 'There are none.')}${more}`
}

async function rowOf(
  { till, settings: { timeZone } }: Visit,
  merchant: Merchant,
  { start, end }: Today,
): Promise<Row> {
  const range = { from: start.toISOString(), to: end.toISOString(), by: 'day' as const, timeZone }
  const pending = { filter: { status: ['pending' as const] }, perPage: 1 }
  const [days, success, { total }, { failingSince, pausedAt }] = await Promise.all([
    till.reports.takings(merchant.id, range),
    successOf(till, merchant.id, start),
    till.payments.list(merchant.id, pending),
    till.webhooks.endpoint(merchant.id),
  ])
  return {
    merchant,
    ...success,
    totalAmount: days.reduce((sum, { totalAmount }) => sum + totalAmount, 0),
    pending: total,
    endpoint: pausedAt
      ? 'paused'
      : failingSince
        ? 'failing'
        : merchant.webhookUrl === null
          ? 'none'
          : 'active',
  }
}
