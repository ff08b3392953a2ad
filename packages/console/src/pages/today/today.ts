import { html } from '@tillkit/http'
import { page } from '../../routing/page.ts'
import type { Visit } from '../../routing/visit.ts'
import { facts, moment } from '../../show/facts.ts'
import { figure } from '../../show/figure.ts'
import { merchantDays } from './merchant-days.ts'
import { pendingFacts, pendingOfAll } from './pending.ts'
import { dayOf, taken, takingsOf } from './taken.ts'

/** The day of all merchants: what was taken, how it went, what is pending, how webhooks are, and each merchant's. */
export const today = page({
  path: '/today',
  needs: 'read',
  whole: true,
  async show(visit) {
    const { till, settings, to } = visit
    const { formats } = settings
    const now = await till.now()
    const day = dayOf(settings.timeZone, now)
    const [takings, pending, counts, merchants] = await Promise.all([
      takingsOf(visit, null, day),
      pendingOfAll(visit, now),
      till.webhooks.counts(),
      merchantDays(visit, day),
    ])
    const { sums, chart } = taken(visit, now, takings)
    const webhooks = facts([
      ['Not delivered yet', formats.count(counts.pending)],
      ['Due now', formats.count(counts.due)],
      ['The longest due since', counts.oldestDueAt && moment(formats, counts.oldestDueAt)],
      ['Given up', formats.count(counts.exhausted)],
      ['Endpoints paused', formats.count(counts.pausedEndpoints)],
    ])
    return {
      title: `Today, ${formats.day(now)}`,
      live: 20,
      content: html`<div class="cards" id="sums" data-live-part>${sums}${successFigure(visit, day.start)}</div>
<section class="card"><h2>By hour</h2><div id="hours" data-live-part>${chart}</div><p class="soft">In ${settings.timeZone}.</p></section>
<div class="pair"><section class="card"><h2>Pending, by age</h2><div id="pending" data-live-part>${pendingFacts(visit, pending)}</div><p><a href="${to('/unresolved')}">See them</a></p></section>
<section class="card"><h2>Webhooks</h2><div id="webhooks" data-live-part>${webhooks}</div><p><a href="${to('/webhooks')}">See them</a></p></section></div>
<section class="card"><h2>Merchants</h2>${merchants}</section>`,
    }
  },
})

function successFigure({ success, settings: { formats } }: Visit, start: Date) {
  const { completed, failed, at, counting } = success.since(start)
  if (at === null) return figure('Success', 'counting…', `${formats.count(counting ?? 0)} merchants so far`)
  const all = completed + failed
  return figure(
    'Success',
    all === 0 ? '–' : formats.share(completed / all),
    html`${formats.count(failed)} failed, counted ${formats.hour(at)}`,
  )
}
