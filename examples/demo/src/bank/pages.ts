import { type Html, html } from '@tillkit/checkout'
import { type HttpHandler, type HttpResponse, readForm } from '@tillkit/http'
import type { Book, Confirmation } from './book.ts'

/**
 * The bank's own pages, `/{name}`: what is to be confirmed, and two buttons. They stand for a site that is not the
 * provider's: nothing that they send back with the customer is believed, the bank is asked.
 */
export function bankPages(book: Book): HttpHandler {
  return async request => {
    const name = nameOf(request.path)
    const found = name === null ? null : book.find(name)
    if (name === null || found === null)
      return page(404, html`<h1>Demo Bank</h1><p>Nothing is to be confirmed here.`)
    if (request.method !== 'POST') return page(200, confirmation(found))
    const decision = new URLSearchParams([...(await readForm(request, { bytes: 1024, fields: 4 }))]).get(
      'decision',
    )
    if (decision === 'approved' || decision === 'declined') book.decide(name, decision)
    return { status: 303, headers: { Location: found.returnUrl }, body: null }
  }
}

function nameOf(path: string): string | null {
  try {
    return decodeURIComponent(path.slice(1))
  } catch {
    return null
  }
}

const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })

function confirmation({ amount, payee, returnUrl, state }: Confirmation): Html {
  const away = (text: string) => html`<p><a href="${returnUrl}">${text}</a>`
  if (state !== 'open') return html`<h1>Demo Bank</h1><p>This payment is ${state}.${away('Back to the shop')}`
  return html`<h1>Demo Bank</h1><p>Pay <b>${euros.format(amount / 100)}</b> to ${payee}?
<form method="post"><button name="decision" value="approved">Approve</button>
<button name="decision" value="declined">Decline</button></form>
${away('Walk away without deciding')}<p>Or close this window: the payment stays open for a quarter of an hour.`
}

const STYLE =
  'body{font:1.125rem/1.5 system-ui;max-width:26rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.75rem 1.5rem}'

function page(status: number, content: Html): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Demo Bank</title><style>${STYLE}</style>${content.text}</html>`,
  }
}
