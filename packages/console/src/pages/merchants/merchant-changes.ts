import { type MerchantPatch, TillError } from '@tillkit/domain'
import { type Html, html } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import type { Form } from '../../routing/form.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { FEATURES, featureNames } from './merchant-form.ts'

const LABELS: Readonly<Record<string, string>> = {
  name: 'the name',
  webhookUrl: 'the webhook URL',
  ...Object.fromEntries(FEATURES.map(([name, words]) => [name, `“${words}”`])),
}

/** A merchant as the fields of its form have it. */
function asFields({ name, webhookUrl, features }: Merchant): Record<string, string> {
  const switches = featureNames.map(feature => [feature, features[feature] ? 'on' : ''])
  return { name, webhookUrl: webhookUrl ?? '', ...Object.fromEntries(switches) }
}

/** What the form was shown with, beside what may be entered: what is another then was changed there, and nothing else was. */
export function shownBefore(merchant: Merchant): Html {
  return html`${Object.entries(asFields(merchant)).map(
    ([name, value]) => html`<input type="hidden" name="was-${name}" value="${value}">`,
  )}`
}

/** Whether the form says what it was shown with: one of a version before does not. */
const saysBefore = (form: Form) => form.all('was-name').length > 0

/** Whether somebody changed that field of the form. */
function isChanged(form: Form, name: string): boolean {
  return saysBefore(form) && form.get(name) !== form.get(`was-${name}`)
}

/** Where the form is shown again, what was not changed in it is shown as it is now, and not as it was: it would be saved so. */
export function shownAgain(visit: MerchantVisit): MerchantVisit {
  const { again, merchant } = visit
  if (again === null) return visit
  const now = asFields(merchant)
  const { form } = again
  const get = (name: string) => (isChanged(form, name) ? form.get(name) : (now[name] ?? form.get(name)))
  return { ...visit, again: { ...again, form: { ...form, get } } }
}

/** What was changed in the form, as it was entered. */
export function changedFields(form: Form): Record<string, string> {
  const changed = Object.keys(LABELS).filter(name => isChanged(form, name))
  return Object.fromEntries(changed.map(name => [name, form.get(name)]))
}

/**
 * What is to be changed of the merchant: only what was changed in the form, so that what others changed since it was shown
 * stays. Throws `conflict` where they changed the same to something else.
 */
export function changesOf(form: Form, merchant: Merchant): MerchantPatch {
  if (!saysBefore(form)) {
    throw new TillError(
      'conflict',
      'the page was older than this console: change what is to change once more',
    )
  }
  const now = asFields(merchant)
  const changed = changedFields(form)
  for (const [name, value] of Object.entries(changed)) {
    const current = now[name]?.trim() ?? ''
    if (current === form.get(`was-${name}`) || current === value) continue
    throw new TillError(
      'conflict',
      `${LABELS[name]} was changed by somebody else meanwhile, to ${said(name, current)}, and nothing was saved: save once more if yours is to hold`,
    )
  }
  const { name, webhookUrl, ...switches } = changed
  return {
    ...(name !== undefined && { name }),
    ...(webhookUrl !== undefined && { webhookUrl: webhookUrl || null }),
    features: Object.fromEntries(Object.entries(switches).map(([feature, value]) => [feature, value !== ''])),
  }
}

function said(name: string, value: string): string {
  if (name === 'name' || name === 'webhookUrl') return value === '' ? 'none' : `“${value}”`
  return value === '' ? 'off' : 'on'
}
