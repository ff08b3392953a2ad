import type { Merchant, Payment } from '@tillkit/till'
import type { Money } from '../money/money.ts'
import { fact } from './facts.ts'
import { type Html, html } from './html.ts'
import { sign } from './sign.ts'
import { filled, type Texts } from './texts.ts'

/** What the page of a payment that was started shows. */
export interface ResultView {
  payment: Payment
  /** Recorded as failed, and charged for all that its processor says. */
  disputed: boolean
  merchant: Merchant
  money: Money
  texts: Texts
  dates: Intl.DateTimeFormat
  /** Where to pay the same once more; null on a receipt that is kept, which leads nowhere. */
  again: string | null
  /** Where to go back to; null for nowhere. */
  back: string | null
  /** Where to save the receipt; null where it cannot be asked for again. */
  receipt: string | null
  /** What to do to keep it; null for nothing. */
  keep: string | null
  /** Whether the outcome is not waited for any longer. */
  waited: boolean
}

/** How the payment stands: the outcome, what was paid, and the code that proves it. Nothing that tells of other payments. */
export function resultPage(view: ResultView): Html {
  const { payment, merchant, money, texts } = view
  const { status, authCode, merchantReference, userReference, tipAmount, totalAmount } = payment
  const outcome = view.waited ? 'note' : status
  return html`<div class="result ${outcome}" role="status" aria-live="polite" aria-atomic="true">${sign(outcome)}
<h1>${title(view)}</h1><p>${explanation(view)}</p>
<dl>${status === 'completed' && authCode && fact(texts.authCode, authCode, 'code')}
${fact(texts.merchant, merchant.name)}
${merchantReference && fact(texts.order, merchantReference)}
${userReference && fact(texts.reference, userReference)}
${fact(texts.date, view.dates.format(new Date(payment.date)))}
${tipAmount !== null && tipAmount > 0 && [fact(texts.amount, money.format(totalAmount - tipAmount)), fact(texts.tip, money.format(tipAmount))]}
${fact(texts.total, money.format(totalAmount), 'total')}</dl>
${view.keep && html`<p class="keep">${view.keep}</p>`}
${payment.status === 'completed' ? [wayBack(view), next(view)] : [next(view), wayBack(view)]}</div>`
}

export function title({
  payment,
  disputed,
  texts,
  waited,
}: Pick<ResultView, 'payment' | 'disputed' | 'texts' | 'waited'>): string {
  if (disputed) return texts.disputed
  if (payment.status === 'completed') return texts.completed
  if (payment.status === 'pending') return waited ? texts.waited : texts.pending
  return texts.failed
}

function explanation({ payment, disputed, texts, waited }: ResultView): string {
  if (disputed) return texts.disputedMore
  if (payment.status === 'completed') return texts.completedMore
  if (payment.status === 'pending') return waited ? texts.waitedMore : texts.pendingMore
  const failure = payment.failure ?? ''
  return Object.hasOwn(texts.failures, failure)
    ? (texts.failures[failure] ?? texts.failedMore)
    : texts.failedMore
}

function next({ payment, disputed, texts, again, receipt, waited }: ResultView): Html | null {
  if (again === null || disputed) return null
  if (payment.status === 'error' && payment.failure !== 'reference_taken') {
    return html`<a class="button" href="${again}">${texts.tryAgain}</a>`
  }
  // An empty address is the page's own.
  if (waited) return html`<a class="button quiet" href="">${texts.look}</a>`
  if (payment.status !== 'completed') return null
  const another = payment.merchantReference === null
  return html`${receipt && html`<a class="button quiet" href="${receipt}" download>${texts.saveReceipt}</a>`}
${another && html`<a class="button quiet" href="${again}">${texts.payAnother}</a>`}`
}

/** The link back to where the customer came from: the button where there is nothing else to do. */
export function wayBack({
  payment,
  merchant,
  texts,
  back,
}: Pick<ResultView, 'payment' | 'merchant' | 'texts' | 'back'>): Html | null {
  if (back === null) return null
  const look = payment.status === 'completed' ? 'button' : 'button quiet'
  return html`<a class="${look}" href="${back}">${filled(texts.back, { merchant: merchant.name })}</a>`
}
