import type { Money } from '../money/money.ts'
import type { Field, FieldFault } from '../payment/entry.ts'
import type { KnownShop } from '../shop/shop.ts'
import { fact } from './facts.ts'
import { amountField, referenceField } from './fields.ts'
import { type Html, html, trusted } from './html.ts'
import { filled as fill, type Texts } from './texts.ts'
import { type TipView, tipChoice } from './tip-choice.ts'

/** Why a form is not simply the one that was asked for: it stands in another's place, or in a browser without cookies. */
export type FormNotice = 'renewed' | 'forgetful'

/** What the page to pay on shows. */
export interface PayView extends TipView {
  /** Whether the button was pressed already: only then is anything called wrong. */
  pressed: boolean
  /** Why it is not simply the form that was asked for. */
  notice: FormNotice | undefined
  /** Where to go back to; null for nowhere. */
  back: string | null
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
${tips && tipChoice(view)}
${tips && field(view, 'tip')}
${scan.merchant.features.userReferences && field(view, 'reference')}
${trusted(view.methodFields)}
<dl><div class="total"><dt>${texts.total}</dt><dd><output name="sum">${total ?? '–'}</output></dd></div></dl>
<input type="hidden" name="total" value="${entry.total}">
<button type="submit" class="pay">${total === null ? texts.proceed : fill(texts.pay, { total })}</button>
${view.back && html`<a class="button quiet" href="${view.back}">${fill(texts.back, { merchant: scan.merchant.name })}</a>`}</form>`
}

function check({ entry, texts, scan, shop, money, pressed }: PayView, total: string | null): Html | null {
  if (pressed && entry.wrong.length > 0) return null
  const say = (text: string) => html`<p class="notice check" role="alert">${text}</p>`
  if (entry.tooLow) return say(fill(texts.totalTooLow, { minimum: money.format(shop.minimumAmount) }))
  if (total !== null) return say(fill(texts.checkTotal, { total }))
  return scan.parameters.requiredAmount === undefined || !pressed ? null : say(texts.nothingToPay)
}

function field(view: PayView, name: Field): Html {
  const { texts, money, entry, pressed, filled, shop } = view
  const wrong = pressed ? entry.wrong.find(({ field }) => field === name) : undefined
  const label = name === 'tip' && shop.tips.length > 0 ? texts.otherTip : texts[name]
  const shown = {
    name,
    value: filled[name],
    focus: wrong !== undefined && entry.wrong[0] === wrong,
    label,
    optional: name !== 'amount',
    hint: hint(view, name),
    wrong: wrong ? said(wrong, view) : null,
    either: (wrong?.either ?? []).map(cents => ({
      cents,
      shown: money.format(cents),
      typed: money.typed(cents),
    })),
  }
  return name === 'reference' ? referenceField(shown) : amountField(shown, money)
}

function said({ field, fault }: FieldFault, { texts, money, shop }: PayView): string {
  const [minimum, maximum] = [shop.minimumAmount, shop.maximumAmount].map(money.format)
  const values = { example: money.example, minimum: minimum ?? '', maximum: maximum ?? '' }
  const text = {
    unreadable: texts[`${field}Wrong`],
    unclear: texts.unclear,
    tooLow: texts.amountTooLow,
    tooHigh: field === 'tip' ? texts.tipTooHigh : texts.amountTooHigh,
  }
  return fill(text[fault], values)
}

function hint({ texts, money, shop }: PayView, name: Field): string {
  if (name === 'amount') return limits(shop, money, texts) || money.sign
  return name === 'tip' ? `${money.sign}, ${texts.optional}` : texts.optional
}

/** What may be typed, where the shop says. */
function limits({ minimumAmount, maximumAmount }: KnownShop, money: Money, texts: Texts): string {
  const minimum = minimumAmount > 1 && money.format(minimumAmount)
  const maximum = maximumAmount < Number.MAX_SAFE_INTEGER && money.format(maximumAmount)
  if (minimum && maximum) return fill(texts.between, { minimum, maximum })
  if (minimum) return fill(texts.atLeast, { minimum })
  return maximum ? fill(texts.atMost, { maximum }) : ''
}
