import type { Merchant, Payment } from '@tillkit/till'
import type { Money } from '../money/money.ts'
import { fact } from './facts.ts'
import { type Html, html } from './html.ts'
import { sign } from './sign.ts'
import type { Texts } from './texts.ts'

/** What the page of a payment that was started shows. */
export interface ResultView {
  payment: Payment
  merchant: Merchant
  money: Money
  texts: Texts
  dates: Intl.DateTimeFormat
  /** Where to pay the same once more. */
  again: string
}

/** How the payment stands: the outcome, what was paid, and the code that proves it. Nothing that tells of other payments. */
export function resultPage(view: ResultView): Html {
  const { payment, merchant, money, texts } = view
  const { status, authCode, merchantReference, userReference, tipAmount } = payment
  return html`<div class="result ${status}" role="status" aria-live="polite" aria-atomic="true">${sign(status)}
<h1>${title(view)}</h1><p>${explanation(view)}</p>
<dl>${status === 'completed' && authCode && fact(texts.authCode, authCode, 'code')}
${fact(texts.merchant, merchant.name)}
${merchantReference && fact(texts.order, merchantReference)}
${userReference && fact(texts.reference, userReference)}
${tipAmount !== null && tipAmount > 0 && fact(texts.tip, money.format(tipAmount))}
${fact(texts.date, moment(view))}
${fact(texts.total, money.format(payment.totalAmount), 'total')}</dl>
${next(view)}</div>`
}

export function title({ payment, texts }: Pick<ResultView, 'payment' | 'texts'>): string {
  if (payment.status === 'completed') return texts.completed
  return payment.status === 'pending' ? texts.pending : texts.failed
}

function explanation({ payment, texts }: ResultView): string {
  if (payment.status === 'completed') return texts.completedMore
  if (payment.status === 'pending') return texts.pendingMore
  const failure = payment.failure ?? ''
  return Object.hasOwn(texts.failures, failure)
    ? (texts.failures[failure] ?? texts.failedMore)
    : texts.failedMore
}

function next({ payment, texts, again }: ResultView): Html | null {
  if (payment.status === 'error' && payment.failure !== 'reference_taken') {
    return html`<a class="button" href="${again}">${texts.tryAgain}</a>`
  }
  const another = payment.status === 'completed' && payment.merchantReference === null
  return another ? html`<a class="button quiet" href="${again}">${texts.payAnother}</a>` : null
}

function moment({ payment, dates }: ResultView): string {
  const zone = dates.resolvedOptions().timeZone === 'UTC' ? ' UTC' : ''
  return `${dates.format(new Date(payment.date))}${zone}`
}
