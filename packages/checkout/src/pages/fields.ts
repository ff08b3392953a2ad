import { MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import type { Money } from '../money/money.ts'
import { type Content, type Html, html } from './html.ts'

/** One field of the form. */
export interface ShownField {
  name: string
  value: string
  label: string
  /** Said beside the label. */
  hint: string
  /** Whether it may stay empty. */
  optional: boolean
  /** What is wrong with it; null for nothing. */
  wrong: string | null
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
  { name, value, label, hint, optional, wrong, focus }: ShownField,
  attributes: Content,
): Html {
  const required = !optional && html` required`
  const invalid = wrong !== null && html` aria-invalid="true" aria-describedby="${name}-wrong"`
  return html`<div class="field"><label for="${name}">${label} <span>(${hint})</span></label>
<input id="${name}" name="${name}" type="text" value="${value}" ${attributes}${required}${invalid}${focus && html` autofocus`}>
${wrong !== null && html`<p class="wrong" id="${name}-wrong" role="alert">${wrong}</p>`}</div>`
}
