import { type Content, type Html, html } from '@tillkit/http'

/** A field to type into. */
export interface TextField {
  /** Its name in the form. */
  name: string
  /** What stands above it. */
  label: string
  /** What is in it. */
  value: string
  /** Said below it. */
  hint?: string
  /** `text` when left out. */
  type?: 'text' | 'url' | 'search' | 'number' | 'date' | 'datetime-local'
  /** Whether it may not stay empty. */
  required?: boolean
  /** The most characters. */
  most?: number
}

/** A field with its label. */
export function textField({ name, label, value, hint, type = 'text', required, most }: TextField): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`
  const bounds = html`${required && html` required`}${most && html` maxlength="${most}"`}`
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"${bounds}${described}>
${hint !== undefined && html`<small id="${name}-hint">${hint}</small>`}</div>`
}

/** A choice of one, by value and words. */
export function choice(
  name: string,
  label: string,
  value: string,
  options: readonly (readonly [value: string, text: string])[],
): Html {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    ([given, text]) => html`<option value="${given}"${given === value && html` selected`}>${text}</option>`,
  )}</select></div>`
}

/** A box to tick, with what it means. */
export function tick(name: string, label: Content, ticked: boolean, value = 'on'): Html {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${ticked && html` checked`}> <span>${label}</span></label>`
}

/** Something that is shown once, to be taken away: readable, selectable, and copied by a button where there is JavaScript. */
export function secret(id: string, label: string, value: string): Html {
  return html`<div class="field"><label for="${id}">${label}</label><div class="secret"><input id="${id}" readonly value="${value}" spellcheck="false">
<button type="button" class="quiet" data-copy="${id}" hidden>Copy</button></div></div>`
}
