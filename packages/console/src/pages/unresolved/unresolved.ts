import { html } from '@tillkit/http'
import type { Payment } from '@tillkit/till'
import { page } from '../../routing/page.ts'
import type { Visit } from '../../routing/visit.ts'
import { age, moment } from '../../show/facts.ts'
import { choice } from '../../show/fields.ts'
import { button, disclosed } from '../../show/form.ts'
import { PER_PAGE } from '../../show/pager.ts'
import type { Column } from '../../show/table.ts'
import { paymentTable } from '../payments/payment-table.ts'

const AGES: readonly (readonly [string, string])[] = [
  ['60', 'a minute'],
  ['600', 'ten minutes'],
  ['3600', 'an hour'],
  ['86400', 'a day'],
]

/** Payments that have no outcome after a while, of all merchants, oldest first, and what the processor said of each. */
export const unresolved = page({
  path: '/unresolved',
  needs: 'read',
  whole: true,
  async show(visit) {
    const { till, query, to, settings } = visit
    const seconds = ageOf(query.get('age'))
    const after = query.get('after')
    const [{ items, after: next }, now] = await Promise.all([
      till.payments.unresolved({ olderThanSeconds: seconds, after: after || null, limit: PER_PAGE }),
      till.now(),
    ])
    const pendingFor: Column<Payment> = {
      heading: 'Pending for',
      cell: ({ date }) => age((now.getTime() - Date.parse(date)) / 1000),
    }
    const merchant: Column<Payment> = { heading: 'Merchant', cell: ({ merchantId }) => merchantId }
    const more = visit.enquiry === null ? [merchant, pendingFor] : [merchant, pendingFor, saidOf(visit)]
    const on =
      next !== null && html`<p><a href="${to('/unresolved', { age: seconds, after: next })}">More</a></p>`
    return {
      title: 'Unresolved payments',
      live: 15,
      content: html`<form method="get" class="card">${choice('age', 'Pending for longer than', String(seconds), AGES)}<button class="quiet">Show</button></form>
<section class="card"><div id="pending" data-live-part>${paymentTable(visit, `Oldest first, in ${settings.timeZone}`, items, 'None has been pending for that long.', more)}</div>${on}</section>
${asking(visit, seconds)}`,
    }
  },
  actions: {
    ask: {
      needs: 'resolve',
      name: 'payments.reconcile',
      says: 'The processor is being asked. What it says stands beside each payment; what it knows is recorded.',
      details: (_, form) => ({ age: String(ageOf(form.get('age'))) }),
      async run({ enquiry, jobs, path }, form) {
        if (enquiry === null) return undefined
        const seconds = ageOf(form.get('age'))
        jobs.begin(null, () => enquiry.ask(seconds))
        return { to: `${path}?age=${seconds}` }
      },
    },
  },
})

function ageOf(text: string | null): number {
  return Number(AGES.find(([seconds]) => seconds === text)?.[0] ?? 600)
}

function saidOf({ enquiry, settings }: Visit): Column<Payment> {
  return {
    heading: 'The processor said',
    cell(payment) {
      const said = enquiry?.of(payment)
      return said === undefined
        ? html`<span class="soft">not asked by this process</span>`
        : html`${said.answer}, ${moment(settings.formats, said.at)}`
    },
  }
}

function asking(visit: Visit, seconds: number) {
  const { enquiry, visitor, settings } = visit
  if (enquiry === null) {
    return html`<p class="soft">The server gave this console no <code>lookup</code>, so the processor cannot be asked from here.</p>`
  }
  const last = enquiry.last()
  const came =
    last !== null &&
    html`<p>The last time it was asked from this process: ${settings.formats.count(last.completed)} completed, ${settings.formats.count(last.failed)} failed,
${settings.formats.count(last.pending)} still under way, ${settings.formats.count(last.unknown)} unknown to it, ${settings.formats.count(last.errors)} without an answer that could be recorded.</p>`
  const form =
    visitor.may('resolve') &&
    disclosed(
      visit,
      'ask',
      'Ask the processor…',
      html`<input type="hidden" name="age" value="${seconds}"><p>About each payment that has been pending for that long. What it knows is recorded, webhooks included; what it does not know stays pending.</p>${button('Ask')}`,
    )
  return html`<section class="card"><div id="asked" data-live-part>${came}</div>${form}</section>`
}
