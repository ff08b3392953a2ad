import { type Html, html } from '@tillkit/http'
import type { Takings } from '@tillkit/till'
import type { Day } from '../../days/day.ts'
import type { Visit } from '../../routing/visit.ts'
import { beingCounted } from '../../show/being-counted.ts'
import { figure } from '../../show/figure.ts'
import { type Hour, hoursChart } from '../../show/hours-chart.ts'
import { table } from '../../show/table.ts'

/** What a day and the same one of the week before came to, by hour. */
type Both = [now: Takings[], then: Takings[]]

/** Null while they are counted. */
export async function takingsOf(
  { till, counting, settings: { timeZone } }: Visit,
  merchantId: string | null,
  { date, start, end, weekAgo, weekAgoEnd }: Day,
): Promise<Both | null> {
  const by = 'hour' as const
  const between = (from: Date, to: Date) =>
    till.reports.takings(merchantId, { from: from.toISOString(), to: to.toISOString(), by, timeZone })
  return counting.within(`takings ${date} ${merchantId === null ? '' : `of ${merchantId}`}`, () =>
    Promise.all([between(start, end), between(weekAgo, weekAgoEnd)]),
  )
}

/** Their sums, of today up to the same hour of both days, and hour by hour as a chart and as a table. */
export function taken(
  { settings: { formats } }: Visit,
  { isToday }: Day,
  at: Date,
  takings: Both | null,
): { sums: Html; chart: Html } {
  if (takings === null)
    return { sums: figure('Taken', 'counting…'), chart: beingCounted('What was taken is') }
  const [now, then] = takings
  // Where clocks are changed a day has an hour more or less: hours are compared by how far they are into the day.
  const hours = now.map((hour, n) => ({ hour, before: then[n] }))
  const passed = now.filter(({ from }) => Date.parse(from) <= at.getTime()).length
  const sum = (rows: readonly Takings[], of: 'count' | 'totalAmount') =>
    rows.reduce((all, row) => all + row[of], 0)
  const soFar = then.slice(0, passed)
  const drawn: Hour[] = hours.map(({ hour, before }) => ({
    at: new Date(hour.from),
    now: hour.totalAmount,
    weekAgo: before?.totalAmount ?? 0,
  }))
  type Row = (typeof hours)[number]
  const amounts = 'number' as const
  const columns = [
    { heading: 'Hour', cell: ({ hour }: Row) => formats.hour(new Date(hour.from)) },
    { heading: 'Payments', kind: amounts, cell: ({ hour }: Row) => formats.count(hour.count) },
    { heading: 'Taken', kind: amounts, cell: ({ hour }: Row) => formats.amount(hour.totalAmount) },
    { heading: 'A week before', kind: amounts, cell: ({ before }: Row) => formats.count(before?.count ?? 0) },
    {
      heading: 'Taken then',
      kind: amounts,
      cell: ({ before }: Row) => formats.amount(before?.totalAmount ?? 0),
    },
  ]
  const [amount, count] = [formats.amount(sum(soFar, 'totalAmount')), formats.count(sum(soFar, 'count'))]
  const until = isToday ? ' by the end of this hour' : ''
  return {
    sums: html`${figure(isToday ? 'Taken today' : 'Taken', formats.amount(sum(now, 'totalAmount')), `${amount} a week before${until}`)}
${figure(isToday ? 'Completed today' : 'Completed', formats.count(sum(now, 'count')), `${count} a week before${isToday ? ' by then' : ''}`)}`,
    chart: html`${hoursChart(formats, drawn)}<details><summary>The figures</summary>${table('Completed payments by the hour that they were started in', columns, hours, '')}</details>`,
  }
}
