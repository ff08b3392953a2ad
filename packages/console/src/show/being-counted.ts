import { type Html, html } from '@tillkit/http'

/** Stands where figures will be when they are counted: `beingCounted('Its payments are')`. */
export function beingCounted(whatIs: string): Html {
  return html`<p class="notice wait" role="status">${whatIs} being counted.</p>`
}
