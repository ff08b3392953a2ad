import { type Html, html } from '@tillkit/http'
import type { Difference, Imported, Payment } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import type { Visit } from '../../routing/visit.ts'
import type { Upload } from '../../settlements/uploads.ts'
import { figure } from '../../show/figure.ts'
import { table } from '../../show/table.ts'
import { paymentTable } from '../payments/payment-table.ts'

/** How many of a long list are shown. */
const SHOWN = 200

const WHY: Record<Difference['why'], string> = {
  unknown: 'no payment is called so, or several are',
  not_completed: 'the payment is not completed',
  amount: 'the payment is of another amount',
  settled_elsewhere: 'it was settled under another reference',
  twice: 'an earlier row names the same payment',
}

/** How far a statement is, and what importing it would do, or did. */
export function importResult(visit: Visit, { state, progress, result, problem }: Upload): Html {
  const { formats } = visit.settings
  if (state === 'refused') {
    return html`<p class="notice bad" role="alert">It cannot be tried: ${problem}. Nothing was settled.</p>`
  }
  if (state === 'failed') {
    return html`<p class="notice bad" role="alert">It ended before its end: ${problem}. What was settled until then stays settled; handing the file in again goes on.</p>`
  }
  if (result === null) {
    const doing = state === 'importing' ? 'It is being imported' : 'It is being tried: nothing is settled'
    return html`<p class="notice wait" role="status">${doing}. ${formats.count(progress?.rows ?? 0)} rows so far.</p>`
  }
  const would = state === 'tried'
  // All of them: the list ends after ten thousand.
  const differing = Object.values(result.differing).reduce((sum, count) => sum + count, 0)
  return html`<p class="notice ${would ? 'plain' : 'good'}" role="status">${would ? 'This is what importing it would do. Nothing was settled yet.' : 'It was imported.'}</p>
<div class="cards">${figure(would ? 'Would be settled' : 'Settled', formats.count(result.settled))}${figure('Settled before', formats.count(result.already))}
${figure('Rows that differ', formats.count(differing))}${figure('Left out', formats.count(result.left.total), formats.amount(result.left.amount))}</div>
${differences(visit, result)}${leftOut(visit, result)}`
}

function differences(
  { to, settings: { formats } }: Visit,
  { differences: all, differing }: Imported,
): Html | null {
  if (all.length === 0) return null
  const columns = [
    { heading: 'Line', cell: ({ row }: Difference) => row.line ?? '' },
    {
      heading: 'Payment',
      cell: ({ row, payment }: Difference) =>
        payment
          ? html`<a href="${to(merchantPath(payment.merchantId, `/payments/${payment.id}`))}">${payment.id}</a>`
          : [row.paymentId, row.merchantReference, row.authCode].filter(part => part).join(' · '),
    },
    { heading: 'Why', cell: ({ why }: Difference) => WHY[why] },
    { heading: 'Amount', kind: 'number' as const, cell: ({ row }: Difference) => formats.amount(row.amount) },
    {
      heading: 'The payment’s',
      kind: 'number' as const,
      cell: ({ payment }: Difference) => payment && formats.amount(payment.totalAmount),
    },
    { heading: 'Merchant', cell: ({ row }: Difference) => row.merchantId },
  ]
  const counted = Object.entries(differing).filter(([, count]) => count > 0)
  return html`<section class="card"><h2>Rows that settle nothing</h2><ul>${counted.map(
    ([why, count]) => html`<li>${formats.count(count)}: ${WHY[why as Difference['why']]}</li>`,
  )}</ul>${table('In the order of the file', columns, all.slice(0, SHOWN), '')}${all.length > SHOWN && html`<p>The first ${SHOWN} are shown.</p>`}</section>`
}

function leftOut(visit: Visit, { left }: Imported): Html | null {
  if (left.total === 0) return null
  const items: Payment[] = left.items.slice(0, SHOWN)
  return html`<section class="card"><h2>Completed payments that it leaves out</h2><p class="soft">Between the first and the last payment of each merchant that it settles; nothing settled them.</p>
${paymentTable(visit, 'By merchant and number', items, '', [{ heading: 'Merchant', cell: ({ merchantId }) => merchantId }])}
${left.total > items.length && html`<p>The first ${items.length} are shown.</p>`}</section>`
}
