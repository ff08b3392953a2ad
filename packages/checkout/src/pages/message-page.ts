import { type Html, html } from './html.ts'
import { sign } from './sign.ts'

/** A page that says one thing. */
export interface Message {
  status: 'completed' | 'error' | 'pending' | 'note'
  heading: string
  more: string
  /** What exactly, where there is more to say. */
  detail?: string
  facts?: Html[]
  /** Where to go on. */
  link?: { href: string; text: string }
}

export function messagePage({ status, heading, more, detail, facts, link }: Message): Html {
  return html`<div class="result ${status}" role="status" aria-live="polite" aria-atomic="true">${sign(status)}
<h1>${heading}</h1><p>${more}</p>${detail && html`<p>${detail}</p>`}${facts && html`<dl>${facts}</dl>`}
${link && html`<a class="button quiet" href="${link.href}">${link.text}</a>`}</div>`
}
