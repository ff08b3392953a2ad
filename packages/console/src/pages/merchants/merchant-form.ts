import { type Html, html } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import type { Form } from '../../routing/form.ts'
import type { Visit } from '../../routing/visit.ts'
import { textField, tick } from '../../show/fields.ts'
import { entered, ticked } from '../../show/form.ts'

/** The features, and what they mean. */
export const FEATURES = [
  ['tips', 'Customers may tip'],
  ['userReferences', 'Customers may enter a reference'],
  ['deviceLists', 'Lists of payments show devices in place of vouchers'],
] as const

/** The names of the features. */
export const featureNames = FEATURES.map(([name]) => name)

/** The fields that a merchant has: those of a new one, or as it is. */
export function merchantFields(
  visit: Visit,
  action: string,
  { name, webhookUrl, features }: Partial<Merchant> = {},
): Html {
  return html`${textField({
    name: 'name',
    label: 'Name',
    value: entered(visit, action, 'name', name ?? ''),
    hint: 'What customers see on the page they pay on',
    required: true,
    most: 255,
  })}${textField({
    name: 'webhookUrl',
    label: 'Webhook URL',
    type: 'url',
    value: entered(visit, action, 'webhookUrl', webhookUrl ?? ''),
    hint: 'Where outcomes are posted. Empty: nowhere',
    most: 2048,
  })}<fieldset><legend>Features</legend>${FEATURES.map(([feature, words]) =>
    tick(feature, words, ticked(visit, action, feature, features?.[feature] ?? false)),
  )}</fieldset>`
}

/** What these fields say. */
export function merchantOf(form: Form) {
  return {
    name: form.get('name'),
    webhookUrl: form.get('webhookUrl') || null,
    features: Object.fromEntries(featureNames.map(name => [name, form.get(name) !== ''])),
  }
}

/** The fields that the log of actions has. */
export const MERCHANT_FIELDS = ['id', 'name', 'webhookUrl', ...featureNames]
