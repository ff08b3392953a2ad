import { MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import type { Money } from '../money/money.ts'
import { type Content, type Html, html } from './html.ts'

/** What a text may mean. */
interface Meaning {
  cents: number
  /** With the currency. */
  shown: string
  /** As it would be typed to be clear. */
  typed: string
}

/** One field of the form. */
export interface ShownField {
  name: string
  value: string
  label: string
  /** Said beside the label; empty for nothing. */
  hint: string
  /** Whether it may stay empty. */
  optional: boolean
  /** What is wrong with it; null for nothing. */
  wrong: string | null
  /** What it may mean, to be chosen from. */
  either: readonly Meaning[]
  /** Whether it is the first that is wrong, where the customer goes on. */
  focus: boolean
}

/** An amount is typed on a keypad with digits and, where the currency has decimals, a decimal sign. */
export function amountField(field: ShownField, money: Money): Html {
  const fill = field.optional
    ? html`autocomplete="off"`
    : html`autocomplete="transaction-amount" placeholder="${money.example}"`
  const keypad = money.digits === 0 ? 'numeric' : 'decimal'
  return labelled(field, html`inputmode="${keypad}" pattern="${money.pattern}" ${fill}`)
}

export function referenceField(field: ShownField): Html {
  return labelled(field, html`autocomplete="off" maxlength="${MAX_REFERENCE_LENGTH}"`)
}

function labelled(
  { name, value, label, hint, optional, wrong, either, focus }: ShownField,
  attributes: Content,
): Html {
  const required = !optional && html` required`
  const invalid = wrong !== null && html` aria-invalid="true" aria-describedby="${name}-wrong"`
  const choices = either.map(
    ({ cents, shown, typed }) =>
      html`<button class="quiet" name="${name}-meant" value="${cents}" data-typed="${typed}">${shown}</button>`,
  )
  return html`<div class="field"><label for="${name}">${label}${hint !== '' && html` <span>(${hint})</span>`}</label>
<input id="${name}" name="${name}" type="text" value="${value}" ${attributes}${required}${invalid}${focus && html` autofocus`}>
${wrong !== null && html`<div class="wrong" id="${name}-wrong" role="alert"><p>${wrong}</p>${choices.length > 0 && html`<div class="choices">${choices}</div>`}</div>`}</div>`
}
