import { html } from '@tillkit/http'
import type { FailingEndpoint } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { page } from '../../routing/page.ts'
import { age, moment, state } from '../../show/facts.ts'
import { figure } from '../../show/figure.ts'
import { PER_PAGE } from '../../show/pager.ts'
import { table } from '../../show/table.ts'

/** How webhooks stand over all merchants, and the endpoints that fail. */
export const webhooksOverview = page({
  path: '/webhooks',
  needs: 'read',
  whole: true,
  async show({ till, query, to, settings: { formats } }) {
    const after = query.get('after') ?? ''
    const [counts, failing, now] = await Promise.all([
      till.webhooks.counts(),
      till.webhooks.failing({ ...(after !== '' && { after }), limit: PER_PAGE + 1 }),
      till.now(),
    ])
    const { pending, due, oldestDueAt, exhausted, pausedEndpoints } = counts
    const behind = oldestDueAt === null ? 0 : (now.getTime() - Date.parse(oldestDueAt)) / 1000
    const columns = [
      {
        heading: 'Merchant',
        cell: ({ merchantId }: FailingEndpoint) =>
          html`<a href="${to(merchantPath(merchantId, '/webhooks'))}">${merchantId}</a>`,
      },
      { heading: 'State', cell: ({ pausedAt }: FailingEndpoint) => state(pausedAt ? 'paused' : 'failing') },
      {
        heading: 'Fails since',
        cell: ({ failingSince }: FailingEndpoint) => moment(formats, failingSince),
      },
      {
        heading: 'Paused',
        kind: 'wide' as const,
        cell: ({ pausedAt }: FailingEndpoint) => pausedAt && moment(formats, pausedAt),
      },
    ]
    const shown = failing.slice(0, PER_PAGE)
    const more =
      failing.length > shown.length &&
      html`<p><a href="${to('/webhooks', { after: shown.at(-1)?.merchantId })}">More</a></p>`
    return {
      title: 'Webhooks',
      live: 10,
      content: html`<div class="cards" id="counts" data-live-part>
${figure('Not delivered yet', formats.count(pending))}${figure('Due now', formats.count(due))}
${figure('The longest due since', behind < 1 ? 'nothing is' : age(behind))}
${figure('Given up', formats.count(exhausted))}${figure('Endpoints paused', formats.count(pausedEndpoints))}</div>
<section class="card"><h2>Endpoints that fail</h2><p class="soft">Since their last success every attempt has failed. After five days of that, and an hour of a delivery's, an endpoint is paused, and its deliveries rest.</p>
<div id="failing" data-live-part>${table('By merchant', columns, shown, 'None does.')}</div>${more}</section>`,
    }
  },
})
