import { type Html, html } from '@tillkit/http'
import type { Day } from '../../days/day.ts'
import type { Visit } from '../../routing/visit.ts'
import { button } from '../../show/form.ts'
import { daysAfter } from '../../show/zone.ts'

/** What a page about a day is headed by. */
export function titleOf({ settings: { formats } }: Visit, { isToday, start, end }: Day): string {
  const words = formats.day(new Date((start.getTime() + end.getTime()) / 2))
  return isToday ? `Today, ${words}` : words
}

/** Leads to another day: the one before, the one after, or any by its date. */
export function chooseDay({ path, to }: Visit, { date, isToday }: Day): Html {
  const link = (words: string, day?: string) => html`<a href="${to(path, { day })}">${words}</a>`
  return html`<form method="get" class="row">${link('The day before', daysAfter(date, -1))}
${!isToday && html`${link('The day after', daysAfter(date, 1))} ${link('Today')}`}
<label for="day">Day</label><input id="day" name="day" type="date" value="${date}" required>${button('Show', 'quiet')}</form>`
}
