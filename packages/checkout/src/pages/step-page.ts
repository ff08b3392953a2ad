import type { Merchant, Payment } from '@tillkit/till'
import type { Money } from '../money/money.ts'
import type { CustomerStep } from '../standing/step.ts'
import { fact } from './facts.ts'
import { type Html, html } from './html.ts'
import { wayBack } from './result-page.ts'
import { sign } from './sign.ts'
import type { Texts } from './texts.ts'

/** What the page shows of a payment whose customer has to go on elsewhere. */
export interface StepView {
  payment: Payment
  step: CustomerStep
  merchant: Merchant
  /** Where to go back to; null for nowhere. */
  back: string | null
  money: Money
  texts: Texts
}

/** The way there, by a button; the script takes it right after the customer has pressed to pay, and never on the way back. */
export function stepPage(view: StepView): Html {
  const { payment, step, merchant, money, texts } = view
  return html`<div class="result note" role="status" aria-live="polite" aria-atomic="true">${sign('note')}
<h1>${texts.step}</h1><p>${texts.stepMore}</p>
<dl>${fact(texts.merchant, merchant.name)}
${payment.merchantReference && fact(texts.order, payment.merchantReference)}
${fact(texts.total, money.format(payment.totalAmount), 'total')}</dl>
${step.status === 'redirect' ? link(step.url, texts) : form(step, texts)}
${wayBack(view)}</div>`
}

function link(url: string, texts: Texts): Html {
  return html`<a class="button" data-go href="${url}" rel="noreferrer">${texts.stepGo}</a>`
}

function form({ url, fields }: CustomerStep & { status: 'action' }, texts: Texts): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${url}" data-go>${hidden}<button type="submit">${texts.stepGo}</button></form>`
}
