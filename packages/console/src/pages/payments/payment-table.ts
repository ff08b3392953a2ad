import { type Html, html } from '@tillkit/http'
import type { Payment } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import type { Visit } from '../../routing/visit.ts'
import { moment, state } from '../../show/facts.ts'
import { type Column, table } from '../../show/table.ts'

/** Payments, each with a link to its page; of several merchants with whose each is. */
export function paymentTable(
  { to, settings: { formats } }: Visit,
  caption: string,
  payments: readonly Payment[],
  empty: string,
  more: readonly Column<Payment>[] = [],
): Html {
  const columns: Column<Payment>[] = [
    {
      heading: 'Payment',
      cell: ({ merchantId, id }) =>
        html`<a href="${to(merchantPath(merchantId, `/payments/${id}`))}">${formats.count(id)}</a>`,
    },
    { heading: 'Started', cell: ({ date }) => moment(formats, date) },
    { heading: 'Status', cell: ({ status }) => state(status) },
    { heading: 'Total', kind: 'number', cell: ({ totalAmount }) => formats.amount(totalAmount) },
    {
      heading: 'Reference',
      cell: ({ merchantReference, userReference }) =>
        [merchantReference, userReference].filter(reference => reference !== null).join(' · '),
    },
    {
      heading: 'Code',
      kind: 'wide',
      cell: ({ scanCode, scanCodeReference }) =>
        scanCodeReference || html`<span class="mono">${scanCode}</span>`,
    },
    ...more,
  ]
  return table(caption, columns, payments, empty)
}
