import { TillError } from '@tillkit/domain'
import { type Content, type Html, html } from '@tillkit/http'
import type { DeliveryState } from '@tillkit/till'
import type { Form } from '../../routing/form.ts'
import type { Action } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { choice, textField } from '../../show/fields.ts'
import { button, disclosed, entered } from '../../show/form.ts'
import { instantIn } from '../../show/zone.ts'

const STATES: readonly (readonly [string, string])[] = [
  ['exhausted', 'what was given up'],
  ['delivered', 'what was delivered'],
  ['pending', 'what is not delivered yet'],
  ['', 'all'],
]

/** The form that sends again whatever was written since a time. */
export function redeliverSinceForm(visit: MerchantVisit): Content {
  const { visitor, merchant, settings } = visit
  if (!visitor.may('webhooks') || merchant.webhookUrl === null) return null
  return disclosed(
    visit,
    'redeliverSince',
    'Send many again…',
    html`<div class="fields">${textField({
      name: 'since',
      label: 'Outcomes recorded since',
      type: 'datetime-local',
      value: entered(visit, 'redeliverSince', 'since', ''),
      hint: `In ${settings.timeZone}`,
      required: true,
    })}${choice('state', 'Of these', entered(visit, 'redeliverSince', 'state', 'exhausted'), STATES)}</div>${button('Send again')}`,
  )
}

/** How a job that the query names is getting on. */
export function jobNotice({ query, jobs, merchant, settings: { formats } }: MerchantVisit): Html | null {
  const name = query.get('job')
  if (name === null) return null
  const job = jobs.get(name)
  if (job === undefined || job.merchantId !== merchant.id) {
    return html`<p class="notice plain">Another process sends these again, or this one was started since. The figures below are how far it is.</p>`
  }
  if (job.state === 'running')
    return html`<p class="notice wait" role="status">They are made due, the newest first…</p>`
  if (job.state === 'failed')
    return html`<p class="notice bad" role="alert">It ended before all were made due: ${job.problem}</p>`
  return html`<p class="notice good" role="status">${formats.count(job.count)} were made due. Those that are not delivered yet are counted below.</p>`
}

/** What the forms of webhooks do. */
export const redeliverActions: Record<string, Action<MerchantVisit>> = {
  redeliverSome: {
    needs: 'webhooks',
    name: 'webhooks.redeliver',
    says: 'They are sent again now.',
    details: (_, form) => ({ payment: tickedIn(form).join(', ') }),
    async run({ till, merchant }, form) {
      const ids = tickedIn(form)
      if (ids.length === 0) throw new TillError('invalid_input', 'none is ticked')
      for (const id of ids) {
        await till.webhooks.redeliver({ merchantId: merchant.id, paymentId: Number(id) })
      }
      return undefined
    },
  },
  redeliverSince: {
    needs: 'webhooks',
    name: 'webhooks.redeliverSince',
    says: 'It has begun.',
    logs: ['since', 'state'],
    async run({ till, merchant, jobs, settings, path }, form) {
      const since = instantIn(settings.timeZone, form.get('since'))
      if (since === null) throw new TillError('invalid_input', 'since must be a date and a time')
      if (merchant.webhookUrl === null) throw new TillError('conflict', 'there is no webhook URL')
      const state = (form.get('state') || undefined) as DeliveryState | undefined
      if (!STATES.some(([known]) => known === (state ?? ''))) {
        throw new TillError('invalid_input', 'state must be one of the list')
      }
      const name = jobs.begin(merchant.id, () => till.webhooks.redeliverSince(merchant.id, { since, state }))
      return { to: `${path}?job=${name}` }
    },
  },
}

/** The payments that are ticked, as many as a page has. */
const tickedIn = (form: Form): string[] =>
  form
    .all('payment')
    .filter(id => /^[1-9]\d{0,15}$/.test(id))
    .slice(0, 100)
