import { html } from '@tillkit/http'
import { merchantPath } from '../../routing/addresses.ts'
import { beginning } from '../../routing/beginning.ts'
import { merchantPage } from '../../routing/page.ts'
import { findPayments } from './find-payments.ts'
import { paymentTable } from './payment-table.ts'

/** Leads to the payment that was meant, or shows those that may have been. */
export const find = merchantPage({
  ofMerchant: '/find',
  needs: 'read',
  async show(visit) {
    const { till, merchant, query, to, settings, redirect } = visit
    const text = beginning((query.get('q') ?? '').trim())
    const list = merchantPath(merchant.id, '/payments')
    if (text === '' || text.includes('\0')) return redirect(list)
    const before = /^[1-9]\d{0,15}$/.exec(query.get('before') ?? '')?.[0]
    const { found, before: next } = await findPayments(
      till,
      merchant.id,
      text,
      (before && Number(before)) || undefined,
    )
    const [only, ...others] = found
    const meant = only?.items[0]
    // Six digits may be a number and a confirmation code: where both may be meant, both are shown.
    if (meant && others.length === 0 && only.total === 1 && (next === null || only.as !== 'id')) {
      return redirect(merchantPath(merchant.id, `/payments/${meant.id}`))
    }
    const sections = found.map(({ as, words, items, total }) => {
      const all =
        total > items.length &&
        html`<p><a href="${to(list, { [as]: text })}">All ${settings.formats.count(total)}</a></p>`
      return html`<section class="card">${paymentTable(visit, `“${text}” as ${words}`, items, '')}${all}</section>`
    })
    const on =
      next !== null &&
      html`<p>For a confirmation code the payments before ${settings.formats.count(next)} were not looked through yet.
<a href="${to(merchantPath(merchant.id, '/find'), { q: text, before: next })}">Look on</a></p>`
    return {
      title: `Payments with “${text}”`,
      content: html`${found.length === 0 && html`<p>None was found.</p>`}${sections}${on}<p><a href="${to(list)}">All payments</a></p>`,
    }
  },
})
