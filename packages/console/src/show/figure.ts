import { type Content, type Html, html } from '@tillkit/http'

/** One figure, with what it counts. */
export function figure(name: string, value: Content, more?: Content): Html {
  return html`<div class="card"><span class="soft">${name}</span><strong>${value}</strong>${more && html`<small>${more}</small>`}</div>`
}
