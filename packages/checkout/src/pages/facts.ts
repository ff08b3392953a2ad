import { type Html, html } from './html.ts'

/** One line of what is to be paid, or was. */
export function fact(name: string, value: string, kind?: string): Html {
  return html`<div${kind && html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`
}
