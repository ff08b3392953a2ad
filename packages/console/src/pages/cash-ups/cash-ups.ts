import { html } from '@tillkit/http'
import type { CashUp } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { moment } from '../../show/facts.ts'
import { button, disclosed } from '../../show/form.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { table } from '../../show/table.ts'
import { periodFigures } from './period.ts'

/** The open period and its totals, and the cash ups that ended those before. */
export const cashUps = merchantPage({
  ofMerchant: '/cash-ups',
  needs: 'read',
  async show(visit) {
    const { till, merchant, query, visitor } = visit
    const shown = pageOf(query)
    const [open, { items, total }] = await Promise.all([
      visit.counting.within(`period open ${merchant.id}`, () => till.reports.period(merchant.id)),
      till.cashUps.list(merchant.id, { page: shown, perPage: PER_PAGE }),
    ])
    const end =
      visitor.may('cash_ups') &&
      disclosed(
        visit,
        'end',
        'End the period…',
        html`<p>Its payments become one cash up, for good; the next payment starts a new period.</p>${button('End the period')}`,
      )
    return {
      title: 'Cash ups',
      live: open === null ? 2 : 30,
      content: html`<section class="card"><h2>The open period</h2><div id="open" data-live-part>${periodFigures(visit, open)}</div>${end}</section>
<section class="card">${table('Cash ups, newest first', columnsOf(visit), items, 'No period was ended yet.')}${pager(visit, total, shown)}</section>`,
    }
  },
  actions: {
    end: {
      needs: 'cash_ups',
      name: 'cashUps.create',
      says: 'The period was ended.',
      repeatable: true,
      async run({ till, merchant }, form) {
        // The form's own name: sent twice, to this process or another, it ends one period.
        const { reference } = await till.cashUps.create(merchant.id, {
          idempotencyKey: `console ${form.get('once')}`,
        })
        return { to: merchantPath(merchant.id, `/cash-ups/${reference}`) }
      },
    },
  },
})

function columnsOf({ to, merchant, settings }: MerchantVisit) {
  return [
    { heading: 'Ended', cell: ({ date }: CashUp) => moment(settings.formats, date) },
    {
      heading: 'Reference',
      cell: ({ reference }: CashUp) =>
        html`<a class="mono" href="${to(merchantPath(merchant.id, `/cash-ups/${reference}`))}">${reference}</a>`,
    },
  ]
}
