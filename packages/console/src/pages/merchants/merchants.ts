import { html } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { beginning } from '../../routing/beginning.ts'
import { page } from '../../routing/page.ts'
import { moment, state } from '../../show/facts.ts'
import { textField } from '../../show/fields.ts'
import { table } from '../../show/table.ts'
import { findMerchants } from './find-merchants.ts'

/** The merchants that one may see, by id, and a field to find one. */
export const merchants = page({
  path: '/merchants',
  needs: 'read',
  async show({ till, visitor, query, to, settings }) {
    const word = beginning((query.get('find') ?? '').trim())
    const { items, after, partly } = await findMerchants(till, visitor, word, query.get('after') ?? '')
    const columns = [
      {
        heading: 'Name',
        cell: ({ id, name }: Merchant) => html`<a href="${to(merchantPath(id, '/payments'))}">${name}</a>`,
      },
      { heading: 'Id', cell: ({ id }: Merchant) => html`<span class="mono">${id}</span>` },
      { heading: 'State', cell: ({ suspendedAt }: Merchant) => state(suspendedAt ? 'suspended' : 'active') },
      {
        heading: 'Webhooks to',
        kind: 'wide' as const,
        cell: ({ webhookUrl }: Merchant) => webhookUrl ?? html`<span class="soft">nowhere</span>`,
      },
      {
        heading: 'Since',
        kind: 'wide' as const,
        cell: ({ createdAt }: Merchant) => moment(settings.formats, createdAt),
      },
    ]
    const find = textField({
      name: 'find',
      label: 'Find',
      type: 'search',
      value: word,
      hint: 'Part of a name or an id',
      most: 255,
    })
    const add =
      visitor.may('merchants') &&
      visitor.merchants === null &&
      html`<a class="button" href="${to('/merchants/new')}">Add a merchant</a>`
    const more =
      after !== null &&
      html`<p>${partly && 'There are more merchants than were looked at. '}<a href="${to('/merchants', { find: word, after })}">${partly ? 'Look on' : 'More'}</a></p>`
    return {
      title: 'Merchants',
      content: html`<form method="get" class="card">${find}<div class="row"><button>Find</button>${add}</div></form>
<section class="card">${table('Merchants, by id', columns, items, word ? 'None was found.' : 'There are none yet.')}${more}</section>`,
    }
  },
})
