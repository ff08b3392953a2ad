import { TillError } from '@tillkit/domain'
import { type Html, html } from '@tillkit/http'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { beingCounted } from '../../show/being-counted.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { paymentTable } from '../payments/payment-table.ts'
import { periodFigures } from './period.ts'

/** One cash up: the totals of its period, and its completed payments once every outcome is known. */
export const cashUp = merchantPage({
  ofMerchant: '/cash-ups/{reference}',
  needs: 'read',
  async show(visit) {
    const { till, merchant, parameter, query, to } = visit
    if (!/^[0-9a-f]{1,32}$/.test(parameter)) return null
    const [period, payments] = await Promise.all([
      visit.counting.within(`period ${parameter} ${merchant.id}`, () =>
        till.reports.period(merchant.id, { reference: parameter }),
      ),
      paymentsOf(visit, pageOf(query)),
    ])
    const isCounting = period === null || payments === null
    return {
      title: 'A cash up',
      live: isCounting ? 2 : period.final ? undefined : 10,
      content: html`<p class="mono">${parameter}</p>
<section class="card"><div id="figures" data-live-part>${periodFigures(visit, period)}</div></section>
<section class="card"><div id="payments" data-live-part>${payments ?? beingCounted('Its payments are')}</div></section>
<p><a href="${to(merchantPath(merchant.id, '/cash-ups'))}">All cash ups</a></p>`,
    }
  },
  says: { end: 'The period was ended.' },
})

/** Null while they are counted. */
async function paymentsOf(visit: MerchantVisit, shown: number): Promise<Html | null> {
  const { till, merchant, parameter } = visit
  try {
    const listed = await visit.counting.within(`payments ${shown} ${parameter} ${merchant.id}`, () =>
      till.cashUps.payments(merchant.id, parameter, { page: shown, perPage: PER_PAGE }),
    )
    if (listed === null) return null
    const { items, total } = listed
    return html`${paymentTable(visit, 'Its completed payments, newest first', items, 'There are none.')}${pager(visit, total, shown)}`
  } catch (error) {
    if (!(error instanceof TillError) || error.code !== 'not_ready') throw error
    return html`<p>A payment of this period has no outcome yet. Its payments are shown when all have one.</p>`
  }
}
