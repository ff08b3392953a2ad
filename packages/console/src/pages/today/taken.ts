import { type Html, html } from '@tillkit/http'
import type { Takings } from '@tillkit/till'
import type { Visit } from '../../routing/visit.ts'
import { figure } from '../../show/figure.ts'
import { type Hour, hoursChart } from '../../show/hours-chart.ts'
import { table } from '../../show/table.ts'
import { dayIn, daysAfter, instantIn } from '../../show/zone.ts'

/** The day that it is in the console's time zone. */
export interface Today {
  /** When it began. */
  start: Date
  /** When it ends. */
  end: Date
  /** When the same day of last week began. */
  weekAgo: Date
  /** When that ended. */
  weekAgoEnd: Date
}

export function dayOf(timeZone: string, now: Date): Today {
  const day = dayIn(timeZone, now)
  const at = (days: number) => instantIn(timeZone, daysAfter(day, days)) as Date
  return { start: at(0), end: at(1), weekAgo: at(-7), weekAgoEnd: at(-6) }
}

/** What a day came to, by hour. */
export async function takingsOf(
  { till, settings: { timeZone } }: Visit,
  merchantId: string | null,
  { start, end, weekAgo, weekAgoEnd }: Today,
): Promise<[now: Takings[], then: Takings[]]> {
  const by = 'hour' as const
  const between = (from: Date, to: Date) =>
    till.reports.takings(merchantId, { from: from.toISOString(), to: to.toISOString(), by, timeZone })
  return Promise.all([between(start, end), between(weekAgo, weekAgoEnd)])
}

/** Their sums, up to the same hour of both days, and hour by hour as a chart and as a table. */
export function taken(
  { settings: { formats } }: Visit,
  at: Date,
  [now, then]: [Takings[], Takings[]],
): { sums: Html; chart: Html } {
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
    { heading: 'A week ago', kind: amounts, cell: ({ before }: Row) => formats.count(before?.count ?? 0) },
    {
      heading: 'Taken then',
      kind: amounts,
      cell: ({ before }: Row) => formats.amount(before?.totalAmount ?? 0),
    },
  ]
  return {
    sums: html`${figure('Taken today', formats.amount(sum(now, 'totalAmount')), html`${formats.amount(sum(soFar, 'totalAmount'))} a week ago by the end of this hour`)}
${figure('Completed today', formats.count(sum(now, 'count')), html`${formats.count(sum(soFar, 'count'))} a week ago by then`)}`,
    chart: html`${hoursChart(formats, drawn)}<details><summary>The figures</summary>${table('Completed payments by the hour that they were started in', columns, hours, '')}</details>`,
  }
}
