import { createHash } from 'node:crypto'
import type { PaymentParameters } from '@tillkit/qr'
import type { HttpResponse } from '../handler.ts'

const STYLE =
  'body{font:1.25rem/1.5 system-ui,sans-serif;max-width:30rem;margin:0 auto;padding:2rem 1rem;color:#111;background:#fff}' +
  'dt{font-size:1rem;color:#555}dd{margin:0 0 1rem;overflow-wrap:anywhere}.amount{font-size:2.5rem;font-weight:600}'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A plain page that says who is to be paid, for what and how much: for hosts without one of their own. */
export function paymentPage(merchantName: string, scan: PaymentParameters): HttpResponse {
  const { merchantReference, requiredAmount } = scan
  const facts = [
    fact('Pay to', merchantName),
    merchantReference === undefined ? '' : fact('Order', merchantReference),
    requiredAmount === undefined ? '' : fact('Amount', decimal(requiredAmount), 'amount'),
  ]
  return page(200, `Payment to ${merchantName}`, `<h1>Payment</h1><dl>${facts.join('')}</dl>`)
}

/** What it says while the merchant or the scan code is suspended. */
export function noPaymentsPage(merchantName: string): HttpResponse {
  const content = `<h1>No payments just now</h1><dl>${fact('Shop', merchantName)}</dl><p>This shop does not take payments here now.</p>`
  return page(403, `No payments to ${merchantName} just now`, content)
}

function page(status: number, title: string, content: string): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
    body: html(title, content),
  }
}

function html(title: string, content: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escaped(title)}</title><style>${STYLE}</style></head>` +
    `<body><main>${content}</main></body></html>`
  )
}

function fact(name: string, value: string, kind?: string): string {
  return `<dt>${name}</dt><dd${kind ? ` class="${kind}"` : ''}>${escaped(value)}</dd>`
}

/** Cents as units and hundredths, exactly: `123456` is `1234.56`. */
function decimal(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
