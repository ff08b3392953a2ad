import { type Html, html } from '@tillkit/http'
import { dayOf } from '../../days/day.ts'
import { page } from '../../routing/page.ts'
import type { Visit } from '../../routing/visit.ts'
import { beingCounted } from '../../show/being-counted.ts'
import { facts, moment } from '../../show/facts.ts'
import { chooseDay, titleOf } from './choose-day.ts'
import { merchantDays } from './merchant-days.ts'
import { mostTaken, successFigure } from './most-taken.ts'
import { pendingFacts, pendingOfAll } from './pending.ts'
import { taken, takingsOf } from './taken.ts'

/** A day of all merchants, today if no other is asked for: what was taken and by whom, how it went; and how things are now. */
export const today = page({
  path: '/today',
  needs: 'read',
  whole: true,
  async show(visit) {
    const { till, settings, query } = visit
    const now = await till.now()
    const day = dayOf(settings.timeZone, now, query.get('day'))
    const [takings, merchants, standing] = await Promise.all([
      takingsOf(visit, null, day),
      merchantDays(visit, day),
      day.isToday ? asItIs(visit, now) : null,
    ])
    const { sums, chart } = taken(visit, day, now, takings)
    const count = visit.days.of(day)
    const isCounting = count.counted === null || takings === null || merchants === null
    return {
      title: titleOf(visit, day),
      live: isCounting ? 3 : day.isToday ? 20 : undefined,
      content: html`${chooseDay(visit, day)}<div class="cards" id="sums" data-live-part>${sums}${successFigure(visit, count)}</div>
<section class="card"><h2>By hour</h2><div id="hours" data-live-part>${chart}</div><p class="soft">In ${settings.timeZone}.</p></section>
<section class="card"><h2>Took most</h2><div id="most" data-live-part>${mostTaken(visit, day, count)}</div></section>
${standing}<section class="card"><h2>Merchants</h2><div id="merchants" data-live-part>${merchants ?? beingCounted('They are')}</div></section>`,
    }
  },
})

async function asItIs(visit: Visit, now: Date): Promise<Html> {
  const { till, to, settings } = visit
  const { formats } = settings
  const [pending, counts] = await Promise.all([pendingOfAll(visit, now), till.webhooks.counts()])
  const webhooks = facts([
    ['Not delivered yet', formats.count(counts.pending)],
    ['Due now', formats.count(counts.due)],
    ['The longest due since', counts.oldestDueAt && moment(formats, counts.oldestDueAt)],
    ['Given up', formats.count(counts.exhausted)],
    ['Endpoints paused', formats.count(counts.pausedEndpoints)],
  ])
  return html`<div class="pair"><section class="card"><h2>Pending, by age</h2><div id="pending" data-live-part>${pendingFacts(visit, pending)}</div><p><a href="${to('/unresolved')}">See them</a></p></section>
<section class="card"><h2>Webhooks</h2><div id="webhooks" data-live-part>${webhooks}</div><p><a href="${to('/webhooks')}">See them</a></p></section></div>`
}
