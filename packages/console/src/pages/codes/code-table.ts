import { type Html, html } from '@tillkit/http'
import type { ScanCode } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { moment, state } from '../../show/facts.ts'
import { choice, tick } from '../../show/fields.ts'
import { form } from '../../show/form.ts'
import { type Column, table } from '../../show/table.ts'
import { PAPERS } from './sheet-layout.ts'

const SHEET = 'sheet-form'

/** Codes, with a box at each that belongs to the form below, which leads to a sheet to print. */
export function codeTable(visit: MerchantVisit, codes: readonly ScanCode[]): Html {
  const { settings, visitor, merchant, to } = visit
  const printable = settings.qrBaseUrl !== undefined && codes.length > 0
  const columns: Column<ScanCode>[] = [
    { heading: 'Reference', cell: ({ reference }) => reference || html`<span class="soft">none</span>` },
    { heading: 'Code', cell: ({ code }) => html`<span class="mono">${code}</span>` },
    { heading: 'State', cell: ({ suspendedAt }) => state(suspendedAt ? 'suspended' : 'active') },
    {
      heading: 'Since',
      kind: 'wide',
      cell: ({ createdAt }) => moment(settings.formats, createdAt),
    },
  ]
  const box: Column<ScanCode> = {
    heading: html`<span class="hint">Print</span>`,
    kind: 'box',
    cell: ({ code }) =>
      html`<input type="checkbox" name="code" value="${code}" form="${SHEET}" aria-label="Print ${code}">`,
  }
  const change: Column<ScanCode> = {
    heading: 'Change',
    cell: ({ code, suspendedAt }) =>
      form(
        visit,
        suspendedAt ? 'resume' : 'suspend',
        html`<input type="hidden" name="code" value="${code}"><button class="quiet" aria-label="${suspendedAt ? 'Resume' : 'Suspend'} ${code}">${suspendedAt ? 'Resume' : 'Suspend'}</button>`,
      ),
  }
  const all = [...(printable ? [box] : []), ...columns, ...(visitor.may('codes') ? [change] : [])]
  const print =
    printable &&
    html`<form id="${SHEET}" method="get" action="${to(merchantPath(merchant.id, '/sheet'))}"><h2>Print</h2><div class="fields">
${choice(
  'per',
  'Codes on a page',
  '6',
  Array.from({ length: 30 }, (_, n) => [String(n + 1), String(n + 1)] as const),
)}
${choice('paper', 'Paper', 'a4', PAPERS)}</div>${tick('all', 'All codes, not only those that are ticked', false)}<button class="quiet">Make a sheet</button></form>`
  const unprintable =
    settings.qrBaseUrl === undefined &&
    html`<p class="soft">The server gave this console no <code>qrBaseUrl</code>, so it cannot print codes.</p>`
  return html`${table('Scan codes, oldest first', all, codes, 'There are none yet.')}${print}${unprintable}`
}
