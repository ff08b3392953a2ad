import type { Payment } from '@tillkit/domain'
import type { PaymentParameters } from '@tillkit/qr'

/** What a customer sees after a scan. */
export function offerPage({ requiredAmount = 0, merchantReference }: PaymentParameters): string {
  const what = merchantReference === undefined ? '' : ` for ${escaped(merchantReference)}`
  return page(`<form method="post"><p>${euros(requiredAmount)}${what}</p><button>Pay</button></form>`)
}

/** What a customer sees after paying. */
export function resultPage({ status, totalAmount, authCode, failure }: Payment): string {
  if (status !== 'completed') return page(`<p>Not paid: ${escaped(failure ?? 'declined')}</p>`)
  return page(`<p>Paid ${euros(totalAmount)}${authCode === null ? '' : `, code ${authCode}`}</p>`)
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment</title>${body}</html>`
}

function euros(cents: number): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(cents / 100)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
