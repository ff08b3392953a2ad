import { type Html, html } from './html.ts'

/** A sign for an outcome: what it says stands beside it in words. */
export function sign(status: 'completed' | 'error' | 'pending' | 'note'): Html {
  const drawing = {
    completed: html`<circle cx="24" cy="24" r="21"/><path d="m14 25 7 7 13-15"/>`,
    error: html`<circle cx="24" cy="24" r="21"/><path d="m17 17 14 14m0-14-14 14"/>`,
    note: html`<circle cx="24" cy="24" r="21"/><path d="M24 13v13m0 7v2"/>`,
    pending: html`<path d="M24 3a21 21 0 1 1-21 21"/>`,
  }
  return html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${drawing[status]}</svg>`
}
