import { type Html, html } from '@tillkit/http'
import { asked, type Day } from '../../days/day.ts'
import type { DayCount } from '../../days/day-counter.ts'
import { type MerchantDay, successShare } from '../../days/outcomes.ts'
import { merchantPath } from '../../routing/addresses.ts'
import type { Visit } from '../../routing/visit.ts'
import { beingCounted } from '../../show/being-counted.ts'
import { figure } from '../../show/figure.ts'
import { type Column, table } from '../../show/table.ts'

/** How many of the payments of all merchants went well. */
export function successFigure({ settings: { formats } }: Visit, { counted, soFar }: DayCount): Html {
  if (counted === null) return figure('Success', 'counting…', `${formats.count(soFar)} merchants so far`)
  return figure(
    'Success',
    formats.share(successShare(counted)),
    html`${formats.count(counted.failed)} failed, counted ${formats.hour(counted.at)}`,
  )
}

/** The merchants that took most. */
export function mostTaken(visit: Visit, day: Day, { counted }: DayCount): Html {
  if (counted === null) return beingCounted('They are')
  return table('Who took most, most first', dayColumns(visit, day), counted.most, 'Nobody took anything.')
}

/** What is shown of a merchant's day. */
export function dayColumns({ to, settings: { formats } }: Visit, day: Day): Column<MerchantDay>[] {
  return [
    {
      heading: 'Merchant',
      cell: ({ merchant: { id, name } }) =>
        html`<a href="${to(merchantPath(id, '/today'), asked(day))}">${name}</a>`,
    },
    { heading: 'Taken', kind: 'number', cell: ({ totalAmount }) => formats.amount(totalAmount) },
    { heading: 'Completed', kind: 'number', cell: ({ completed }) => formats.count(completed) },
    { heading: 'Success', kind: 'number', cell: row => formats.share(successShare(row)) },
  ]
}
