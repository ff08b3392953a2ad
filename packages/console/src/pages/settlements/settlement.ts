import { isText, MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import { html } from '@tillkit/http'
import type { MerchantSettlement } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { page } from '../../routing/page.ts'
import { facts, moment } from '../../show/facts.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { table } from '../../show/table.ts'

/** One statement, and what it paid to whom. */
export const settlement = page({
  path: '/settlement',
  needs: 'read',
  whole: true,
  async show(visit) {
    const { till, query, to, settings } = visit
    const { formats } = settings
    const reference = query.get('reference') ?? ''
    if (reference === '' || !isText(reference, MAX_REFERENCE_LENGTH)) return null
    const shown = pageOf(query)
    const found = await till.settlements.get(reference, { page: shown, perPage: PER_PAGE })
    if (found === null) return null
    const number = 'number' as const
    const columns = [
      {
        heading: 'Merchant',
        cell: ({ merchantId }: MerchantSettlement) =>
          html`<a href="${to(merchantPath(merchantId, '/payments'), { statementReference: reference })}">${merchantId}</a>`,
      },
      { heading: 'Payments', kind: number, cell: ({ count }: MerchantSettlement) => formats.count(count) },
      { heading: 'Paid out', kind: number, cell: ({ amount }: MerchantSettlement) => formats.amount(amount) },
      { heading: 'Fees', kind: number, cell: ({ fees }: MerchantSettlement) => formats.amount(fees) },
    ]
    return {
      title: `Settlement ${reference}`,
      content: html`<section class="card">${facts([
        ['Payments', formats.count(found.count)],
        ['Paid out', formats.amount(found.amount)],
        ['Fees', formats.amount(found.fees)],
        [
          'Import began',
          found.startedAt ? moment(formats, found.startedAt) : 'never: the server settled these itself',
        ],
        ['Import ended', found.finishedAt && moment(formats, found.finishedAt)],
        ['Rows', found.rows !== null && formats.count(found.rows)],
        ['Rows that settled nothing', found.differences !== null && formats.count(found.differences)],
      ])}</section>
<section class="card">${table('By merchant', columns, found.byMerchant.items, 'It settled nothing.')}${pager(visit, found.byMerchant.total, shown)}</section>
<p><a href="${to('/settlements')}">All settlements</a></p>`,
    }
  },
})
