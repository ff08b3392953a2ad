import type { PaymentFilterInput } from '@tillkit/domain'
import { type Html, html } from '@tillkit/http'
import type { Visit } from '../../routing/visit.ts'
import { textField, tick } from '../../show/fields.ts'
import { instantIn } from '../../show/zone.ts'

const STATUSES = ['completed', 'pending', 'error'] as const
const REFERENCES = [
  ['scanCode', 'Scan code'],
  ['scanCodeReference', 'Reference of the code'],
  ['merchantReference', 'Merchant’s reference'],
  ['userReference', 'Customer’s reference'],
  ['statementReference', 'Settlement'],
] as const

/** What the query of a list of payments asks for: the filters of API 4.2, dates in the console's time zone. */
export interface AskedFor {
  /** As the till takes it. */
  filter: PaymentFilterInput
  /** Whether there is any. */
  any: boolean
  /** A date that is none, by the name of its field; null where all are right. */
  wrong: string | null
}

/** Reads the filters of a query. What is empty is not asked for. */
export function filterOf({ query, settings }: Pick<Visit, 'query' | 'settings'>): AskedFor {
  const filter: PaymentFilterInput = {}
  let wrong: string | null = null
  for (const [name, option] of [
    ['from', 'startDate'],
    ['until', 'endDate'],
  ] as const) {
    const text = query.get(name) ?? ''
    if (text === '') continue
    const at = instantIn(settings.timeZone, text)
    if (at === null) wrong = name
    else filter[option] = at.toISOString()
  }
  const statuses = STATUSES.filter(status => query.getAll('status').join(',').split(',').includes(status))
  if (statuses.length > 0) filter.status = [...statuses]
  for (const [name] of REFERENCES) {
    const value = query.get(name) ?? ''
    if (value !== '') filter[name] = value
  }
  return { filter, any: Object.keys(filter).length > 0 || wrong !== null, wrong }
}

/** The form of these filters, with what is asked for in it. */
export function filterForm({ query, settings, to, path }: Visit, { filter, any, wrong }: AskedFor): Html {
  const field = (name: string, label: string, type: 'text' | 'datetime-local' = 'text') =>
    textField({ name, label, type, value: query.get(name) ?? '', most: 255 })
  return html`<details class="card"${any && html` open`}><summary>Filter</summary><form method="get"><div class="fields">
${field('from', 'Started from', 'datetime-local')}${field('until', 'Started before', 'datetime-local')}
${REFERENCES.map(([name, label]) => field(name, label))}</div>
<fieldset><legend>Status</legend><div class="row">${STATUSES.map(status =>
    tick('status', status, filter.status?.includes(status) ?? false, status),
  )}</div></fieldset>
${wrong !== null && html`<p class="notice bad" role="alert">The date of “${wrong}” is none.</p>`}
<p class="hint">Dates are those of ${settings.timeZone}. All that is given must hold.</p>
<div class="row"><button>Filter</button><a class="button quiet" href="${to(path)}">Show all</a></div></form></details>`
}
