import { html } from '@tillkit/http'
import type { ConsoleAction } from '../../audit/action.ts'
import { KEPT_ACTIONS } from '../../audit/journal.ts'
import { page } from '../../routing/page.ts'
import { moment, state } from '../../show/facts.ts'
import { table } from '../../show/table.ts'

/** What was done here, of the merchants that one may see. */
export const actions = page({
  path: '/actions',
  needs: 'audit',
  async show({ journal, visitor, settings }) {
    const seen = journal
      .latest()
      .filter(({ merchantId }) =>
        merchantId === null ? visitor.merchants === null : visitor.sees(merchantId),
      )
    const columns = [
      { heading: 'When', cell: ({ at }: ConsoleAction) => moment(settings.formats, at) },
      { heading: 'Who', cell: ({ operator }: ConsoleAction) => operator },
      { heading: 'What', cell: ({ action }: ConsoleAction) => html`<code>${action}</code>` },
      { heading: 'Merchant', cell: ({ merchantId }: ConsoleAction) => merchantId ?? '' },
      { heading: 'With', cell: ({ details }: ConsoleAction) => detailsOf(details) },
      {
        heading: 'Outcome',
        cell: (action: ConsoleAction) => html`${state(action.state)} ${action.error}`,
      },
    ]
    return {
      title: 'Actions',
      content: html`<p class="soft">The last ${KEPT_ACTIONS} actions of this process, in memory: others have their own, and a restart forgets them.
What is to be kept is what the server makes of <code>onAction</code>.</p>
${table('Actions, the latest first', columns, seen, 'Nothing was done here since this process started.')}`,
    }
  },
})

function detailsOf(details: ConsoleAction['details']) {
  return Object.entries(details).map(([name, value]) => html`<div>${name}: ${value}</div>`)
}
