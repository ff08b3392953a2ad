import { html } from '@tillkit/http'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import { textField } from '../../show/fields.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { filterForm, filterOf } from './filter.ts'
import { paymentTable } from './payment-table.ts'

/** A merchant's payments, newest first, those that pass the filter, and a field to jump to one. */
export const payments = merchantPage({
  ofMerchant: '/payments',
  needs: 'read',
  async show(visit) {
    const { till, merchant, query, to } = visit
    const asked = filterOf(visit)
    const shown = pageOf(query)
    const { items, total } = asked.wrong
      ? { items: [], total: 0 }
      : await till.payments.list(merchant.id, { filter: asked.filter, page: shown, perPage: PER_PAGE })
    const filters = new URLSearchParams(query)
    for (const name of ['page', 'done']) filters.delete(name)
    const csv = to(merchantPath(merchant.id, `/payments.csv`))
    const jump = html`<form class="card" method="get" action="${to(merchantPath(merchant.id, '/find'))}">${textField(
      {
        name: 'q',
        label: 'Jump to a payment',
        type: 'search',
        value: '',
        hint: 'Its number, a reference, or the six digits that the customer was shown',
        required: true,
        most: 255,
      },
    )}<button>Find</button></form>`
    return {
      title: 'Payments',
      content: html`<div class="pair">${jump}${filterForm(visit, asked)}</div>
<section class="card">${paymentTable(visit, 'Payments, newest first', items, asked.any ? 'None passes the filter.' : 'There are none yet.')}
${pager(visit, total, shown)}${total > 0 && html`<p><a href="${`${csv}?${filters}`}" download>Take these away as CSV</a></p>`}</section>`,
    }
  },
})
