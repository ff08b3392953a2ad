import { type Html, html } from '@tillkit/http'
import { scaleBand, scaleLinear } from 'd3-scale'
import { curveStep, line } from 'd3-shape'
import type { Formats } from './formats.ts'

/** What was taken in one hour, and in the same hour of the day that it is compared with. */
export interface Hour {
  /** When it begins. */
  at: Date
  /** What was taken in it, in cents. */
  now: number
  /** What was taken in the other, in cents. */
  weekAgo: number
}

const HEIGHT = 220
const MARGIN = { top: 12, right: 8, bottom: 24, left: 64 }

/**
 * A day by hour: bars, and a line of the day that it is compared with. Drawn twice, for a phone and for a desk, of which the style
 * sheet shows one; whoever cannot see it has the same figures in a table.
 */
export function hoursChart(formats: Formats, hours: readonly Hour[]): Html {
  return html`<p class="key" aria-hidden="true"><span>this day</span><span class="then">a week before</span></p>
<div class="narrow">${drawn(formats, hours, 360, 6)}</div><div class="broad">${drawn(formats, hours, 900, 2)}</div>`
}

function drawn(formats: Formats, hours: readonly Hour[], width: number, every: number): Html {
  const most = Math.max(1, ...hours.flatMap(({ now, weekAgo }) => [now, weekAgo]))
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4)
  const x = scaleBand(
    hours.map((_, n) => n),
    [MARGIN.left, width - MARGIN.right],
  ).padding(0.2)
  const left = (n: number) => round(x(n) ?? 0)
  const grid = y.ticks(4).map(
    tick => html`<line class="grid" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${round(y(tick))}" y2="${round(y(tick))}"/>
<text x="${MARGIN.left - 8}" y="${round(y(tick)) + 4}" text-anchor="end">${formats.short(tick)}</text>`,
  )
  const bars = hours.map(
    ({ now }, n) =>
      now > 0 &&
      html`<rect class="bar" x="${left(n)}" y="${round(y(now))}" width="${round(x.bandwidth())}" height="${round(y(0) - y(now))}"/>`,
  )
  const before = line<Hour>(
    (_, n) => left(n) + x.bandwidth() / 2,
    ({ weekAgo }) => y(weekAgo),
  )
    .curve(curveStep)
    .digits(1)(hours)
  const labels = hours.map(
    ({ at }, n) =>
      n % every === 0 &&
      html`<text x="${left(n) + round(x.bandwidth() / 2)}" y="${HEIGHT - 6}" text-anchor="middle">${formats.hour(at)}</text>`,
  )
  return html`<svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="Taken by hour, on this day and a week before. The figures are in the table below.">
${grid}${bars}${before && html`<path class="before" d="${before}"/>`}${labels}</svg>`
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
