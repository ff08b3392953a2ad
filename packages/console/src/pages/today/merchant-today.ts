import { html } from '@tillkit/http'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { facts, moment, state } from '../../show/facts.ts'
import { figure } from '../../show/figure.ts'
import { successOf } from '../../success/success.ts'
import { pendingFacts, pendingOf } from './pending.ts'

import { dayOf, taken, takingsOf } from './taken.ts'

/** A merchant's day: what was taken, how it went, what is pending, how its webhooks are. */
export const merchantToday = merchantPage({
  ofMerchant: '/today',
  needs: 'read',
  async show(visit) {
    const { till, merchant, settings } = visit
    const now = await till.now()
    const today = dayOf(settings.timeZone, now)
    const [takings, success, pending, webhooks] = await Promise.all([
      takingsOf(visit, merchant.id, today),
      successOf(till, merchant.id, today.start),
      pendingOf(visit, now),
      webhookFacts(visit),
    ])
    const { sums, chart } = taken(visit, now, takings)
    const share =
      success.completed + success.failed === 0
        ? null
        : success.completed / (success.completed + success.failed)
    return {
      title: `Today, ${settings.formats.day(now)}`,
      live: 20,
      content: html`<div class="cards" id="sums" data-live-part>${sums}${figure('Success', share === null ? '–' : settings.formats.share(share), `${settings.formats.count(success.failed)} failed`)}</div>
<section class="card"><h2>By hour</h2><div id="hours" data-live-part>${chart}</div><p class="soft">In ${settings.timeZone}.</p></section>
<div class="pair"><section class="card"><h2>Pending, by age</h2><div id="pending" data-live-part>${pendingFacts(visit, pending)}</div>
<p><a href="${visit.to(merchantPath(merchant.id, '/payments'), { status: 'pending' })}">See them</a></p></section>
<section class="card"><h2>Webhooks</h2><div id="webhooks" data-live-part>${webhooks}</div></section></div>`,
    }
  },
})

async function webhookFacts({ till, merchant, to, settings: { formats } }: MerchantVisit) {
  const count = async (wanted: 'pending' | 'exhausted') =>
    (await till.webhooks.list(merchant.id, { state: wanted, perPage: 1 })).total
  const [{ failingSince, pausedAt }, pending, exhausted] = await Promise.all([
    till.webhooks.endpoint(merchant.id),
    count('pending'),
    count('exhausted'),
  ])
  const standing = pausedAt
    ? 'paused'
    : failingSince
      ? 'failing'
      : merchant.webhookUrl === null
        ? 'none'
        : 'active'
  return html`${facts([
    ['Endpoint', state(standing)],
    ['Fails since', failingSince && moment(formats, failingSince)],
    ['Not delivered yet', formats.count(pending)],
    ['Given up', formats.count(exhausted)],
  ])}<p><a href="${to(merchantPath(merchant.id, '/webhooks'))}">See them</a></p>`
}
