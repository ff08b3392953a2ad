import { html } from '@tillkit/http'
import type { DeliveryState } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { endpointState } from '../../show/endpoint-state.ts'
import { moment, state } from '../../show/facts.ts'
import { figure } from '../../show/figure.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { deliveryTable } from './delivery-table.ts'
import { jobNotice, redeliverActions, redeliverSinceForm } from './redeliver.ts'

const TABS = [
  ['pending', 'Not delivered yet'],
  ['exhausted', 'Given up'],
  ['delivered', 'Delivered'],
  ['all', 'All'],
] as const

/** A merchant's webhooks: how its endpoint answers, what is to be delivered, and forms to send again. */
export const webhooks = merchantPage({
  ofMerchant: '/webhooks',
  needs: 'read',
  async show(visit) {
    const { till, merchant, query, settings } = visit
    const asked = TABS.find(([name]) => name === query.get('state'))?.[0] ?? 'pending'
    const wanted: DeliveryState | undefined = asked === 'all' ? undefined : asked
    const shown = pageOf(query)
    const count = async (of: DeliveryState) =>
      (await till.webhooks.list(merchant.id, { state: of, perPage: 1 })).total
    const [health, pending, exhausted, { items, total }] = await Promise.all([
      till.webhooks.endpoint(merchant.id),
      count('pending'),
      count('exhausted'),
      till.webhooks.list(merchant.id, { state: wanted, page: shown, perPage: PER_PAGE }),
    ])
    const { formats } = settings
    const since = health.pausedAt ?? health.failingSince
    const standing = html`${state(endpointState(merchant, health))}${since && html` since ${moment(formats, since)}`}`
    return {
      title: 'Webhooks',
      live: 5,
      content: html`<div id="job" data-live-part>${jobNotice(visit)}</div>
<div class="cards" id="counts" data-live-part>${figure('Not delivered yet', formats.count(pending))}${figure('Given up', formats.count(exhausted))}</div>
<section class="card"><p>Endpoint <span class="mono">${merchant.webhookUrl ?? 'none: outcomes are posted nowhere'}</span></p><p id="health" data-live-part>${standing}</p>${redeliverSinceForm(visit)}</section>
<section class="card"><div class="row">${tabs(visit, asked)}</div>
<div id="deliveries" data-live-part>${deliveryTable(visit, items)}</div>${pager(visit, total, shown)}</section>`,
    }
  },
  actions: redeliverActions,
})

function tabs({ merchant, to }: MerchantVisit, asked: string) {
  const path = merchantPath(merchant.id, '/webhooks')
  return TABS.map(([name, text]) =>
    name === asked
      ? html`<strong>${text}</strong>`
      : html`<a href="${to(path, { state: name })}">${text}</a>`,
  )
}
