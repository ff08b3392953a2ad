import { html } from '@tillkit/http'
import type { ListedStatement } from '@tillkit/till'
import { page } from '../../routing/page.ts'
import type { Visit } from '../../routing/visit.ts'
import { moment, state } from '../../show/facts.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { table } from '../../show/table.ts'

/** The statements that were imported, newest first. */
export const settlements = page({
  path: '/settlements',
  needs: 'read',
  whole: true,
  async show(visit) {
    const { till, query, to, visitor } = visit
    const shown = pageOf(query)
    const { items, total } = await till.settlements.list({ page: shown, perPage: PER_PAGE })
    const add =
      visitor.may('settle') &&
      html`<p><a class="button" href="${to('/settlements/import')}">Import a statement</a></p>`
    return {
      title: 'Settlements',
      content: html`${add}<section class="card">${table('Statements, newest first', columnsOf(visit), items, 'None was imported yet.')}${pager(visit, total, shown)}</section>`,
    }
  },
})

function columnsOf({ to, settings: { formats } }: Visit) {
  const number = 'number' as const
  return [
    {
      heading: 'Reference',
      cell: ({ statementReference }: ListedStatement) =>
        html`<a href="${to('/settlement', { reference: statementReference })}">${statementReference}</a>`,
    },
    {
      heading: 'Imported',
      cell: ({ finishedAt, startedAt }: ListedStatement) =>
        finishedAt
          ? moment(formats, finishedAt)
          : startedAt && html`${state('begun')} ${moment(formats, startedAt)}`,
    },
    { heading: 'Payments', kind: number, cell: ({ count }: ListedStatement) => formats.count(count) },
    { heading: 'Paid out', kind: number, cell: ({ amount }: ListedStatement) => formats.amount(amount) },
    {
      heading: 'Fees',
      kind: 'wide number' as const,
      cell: ({ fees }: ListedStatement) => formats.amount(fees),
    },
    {
      heading: 'Rows that differ',
      kind: number,
      cell: ({ differences }: ListedStatement) => differences !== null && formats.count(differences),
    },
  ]
}
