import { type Html, html } from '@tillkit/http'
import { dayOf } from '../../days/day.ts'
import { outcomesOf, successShare } from '../../days/outcomes.ts'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { endpointState } from '../../show/endpoint-state.ts'
import { facts, moment, state } from '../../show/facts.ts'
import { figure } from '../../show/figure.ts'
import { chooseDay, titleOf } from './choose-day.ts'
import { pendingFacts, pendingOf } from './pending.ts'
import { taken, takingsOf } from './taken.ts'

/** A merchant's day, today if no other is asked for: what was taken, how it went; and how things are now. */
export const merchantToday = merchantPage({
  ofMerchant: '/today',
  needs: 'read',
  async show(visit) {
    const { till, merchant, settings, query } = visit
    const { formats } = settings
    const now = await till.now()
    const day = dayOf(settings.timeZone, now, query.get('day'))
    const [takings, outcomes, standing] = await Promise.all([
      takingsOf(visit, merchant.id, day),
      outcomesOf(till, merchant.id, day),
      day.isToday ? asItIs(visit, now) : null,
    ])
    const { sums, chart } = taken(visit, day, now, takings)
    const success = figure(
      'Success',
      formats.share(successShare(outcomes)),
      `${formats.count(outcomes.failed)} failed`,
    )
    return {
      title: titleOf(visit, day),
      live: takings === null ? 3 : day.isToday ? 20 : undefined,
      content: html`${chooseDay(visit, day)}<div class="cards" id="sums" data-live-part>${sums}${success}</div>
<section class="card"><h2>By hour</h2><div id="hours" data-live-part>${chart}</div><p class="soft">In ${settings.timeZone}.</p></section>
${standing}`,
    }
  },
})

async function asItIs(visit: MerchantVisit, now: Date): Promise<Html> {
  const [pending, webhooks] = await Promise.all([pendingOf(visit, now), webhookFacts(visit)])
  const pendingPayments = visit.to(merchantPath(visit.merchant.id, '/payments'), { status: 'pending' })
  return html`<div class="pair"><section class="card"><h2>Pending, by age</h2><div id="pending" data-live-part>${pendingFacts(visit, pending)}</div>
<p><a href="${pendingPayments}">See them</a></p></section>
<section class="card"><h2>Webhooks</h2><div id="webhooks" data-live-part>${webhooks}</div></section></div>`
}

async function webhookFacts({ till, merchant, to, settings: { formats } }: MerchantVisit): Promise<Html> {
  const count = async (wanted: 'pending' | 'exhausted') =>
    (await till.webhooks.list(merchant.id, { state: wanted, perPage: 1 })).total
  const [health, pending, exhausted] = await Promise.all([
    till.webhooks.endpoint(merchant.id),
    count('pending'),
    count('exhausted'),
  ])
  return html`${facts([
    ['Endpoint', state(endpointState(merchant, health))],
    ['Fails since', health.failingSince && moment(formats, health.failingSince)],
    ['Not delivered yet', formats.count(pending)],
    ['Given up', formats.count(exhausted)],
  ])}<p><a href="${to(merchantPath(merchant.id, '/webhooks'))}">See them</a></p>`
}
