import { type Html, html } from '@tillkit/http'
import type { ListedDelivery } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { moment, state } from '../../show/facts.ts'
import { button, form } from '../../show/form.ts'
import { type Column, table } from '../../show/table.ts'

/** Deliveries, newest payment first; for who may send them again with a box at each, and a button. */
export function deliveryTable(visit: MerchantVisit, deliveries: readonly ListedDelivery[]): Html {
  const { merchant, visitor, to, settings } = visit
  const { formats } = settings
  const may = visitor.may('webhooks') && merchant.webhookUrl !== null
  const columns: Column<ListedDelivery>[] = [
    {
      heading: 'Payment',
      cell: ({ paymentId }) =>
        html`<a href="${to(merchantPath(merchant.id, `/payments/${paymentId}`))}">${formats.count(paymentId)}</a>`,
    },
    { heading: 'State', cell: delivery => state(delivery.state) },
    { heading: 'Attempts', kind: 'number', cell: ({ attempts }) => formats.count(attempts) },
    {
      heading: 'Next',
      cell: ({ state: standing, nextAttemptAt }) =>
        nextAttemptAt !== null
          ? moment(formats, nextAttemptAt)
          : standing === 'pending' && 'rests: the endpoint is paused',
    },
    {
      heading: 'Last answer',
      cell: ({ lastStatus, lastError }) => [lastStatus, lastError].filter(part => part !== null).join(': '),
    },
    { heading: 'Outcome recorded', kind: 'wide', cell: ({ createdAt }) => moment(formats, createdAt) },
  ]
  const box: Column<ListedDelivery> = {
    heading: html`<span class="hint">Send</span>`,
    kind: 'box',
    cell: ({ paymentId }) =>
      html`<input type="checkbox" name="payment" value="${paymentId}" aria-label="Send payment ${paymentId} again">`,
  }
  const shown = table(
    'Deliveries, newest payment first',
    may ? [box, ...columns] : columns,
    deliveries,
    'There are none.',
  )
  if (!may || deliveries.length === 0) return shown
  return form(
    visit,
    'redeliverSome',
    html`${shown}<div class="row">${button('Send those that are ticked again', 'quiet')}</div>`,
  )
}
