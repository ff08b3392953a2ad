import type { Money } from '../money/money.ts'
import type { Entry, Field, Filled } from '../payment/entry.ts'
import type { Scan } from '../payment/scan.ts'
import { fact } from './facts.ts'
import { amountField, referenceField } from './fields.ts'
import { type Html, html, trusted } from './html.ts'
import { filled as fill, type Texts } from './texts.ts'

/** Why a form is not simply the one that was asked for: it stands in another's place, or in a browser without cookies. */
export type FormNotice = 'renewed' | 'forgetful'

/** What the page to pay on shows. */
export interface PayView {
  scan: Scan
  filled: Filled
  entry: Entry
  /** Whether the button was pressed already: only then is anything called wrong. */
  pressed: boolean
  /** Why it is not simply the form that was asked for. */
  notice: FormNotice | undefined
  money: Money
  texts: Texts
  /** Fields of the host's own. */
  methodFields: string
}

/** Who is to be paid, for what, the fields that there are to fill in, the total, one button. */
export function payPage(view: PayView): Html {
  const { scan, entry, money, texts } = view
  const { merchantReference, requiredAmount } = scan.parameters
  const { tips } = scan.merchant.features
  const total = entry.total === null ? null : money.format(entry.total)
  const facts = [
    merchantReference ? [fact(texts.order, merchantReference)] : [],
    requiredAmount !== undefined && tips ? [fact(texts.amount, money.format(requiredAmount))] : [],
  ].flat()
  return html`<form method="post" novalidate data-locale="${money.locale}" data-currency="${money.currency}"
 data-digits="${money.digits}" data-zero="${money.zero}" data-amount="${requiredAmount}"
 data-pay="${texts.pay}" data-proceed="${texts.proceed}" data-busy="${texts.busy}">
<h1><small>${texts.payTo}</small>${scan.merchant.name}</h1>
${view.notice && html`<p class="notice" role="alert">${texts[view.notice]}</p>`}
${(view.pressed || view.notice === 'renewed') && check(view, total)}
${facts.length > 0 && html`<dl>${facts}</dl>`}
${requiredAmount === undefined && field(view, 'amount')}
${tips && field(view, 'tip')}
${scan.merchant.features.userReferences && field(view, 'reference')}
${trusted(view.methodFields)}
<dl><div class="total"><dt>${texts.total}</dt><dd><output name="sum">${total ?? '–'}</output></dd></div></dl>
<input type="hidden" name="total" value="${entry.total}">
<button type="submit">${total === null ? texts.proceed : fill(texts.pay, { total })}</button></form>`
}

function check({ entry, texts, scan, pressed }: PayView, total: string | null): Html | null {
  if (pressed && entry.wrong.length > 0) return null
  if (total !== null)
    return html`<p class="notice check" role="alert">${fill(texts.checkTotal, { total })}</p>`
  return scan.parameters.requiredAmount === undefined || !pressed
    ? null
    : html`<p class="notice check" role="alert">${texts.nothingToPay}</p>`
}

function field(view: PayView, name: Field): Html {
  const { texts, money, entry, pressed, filled } = view
  const wrong = pressed && entry.wrong.includes(name)
  const shown = {
    name,
    value: filled[name],
    focus: wrong && entry.wrong[0] === name,
    label: texts[name],
    optional: name !== 'amount',
    hint: hint(view, name),
    wrong: wrong ? fill(texts[`${name}Wrong`], { example: money.example }) : null,
  }
  return name === 'reference' ? referenceField(shown) : amountField(shown, money)
}

function hint({ texts, money }: PayView, name: Field): string {
  if (name === 'amount') return money.sign
  return name === 'tip' ? `${money.sign}, ${texts.optional}` : texts.optional
}
