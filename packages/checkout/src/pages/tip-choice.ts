import type { Money } from '../money/money.ts'
import type { Entry, Filled } from '../payment/entry.ts'
import type { Scan } from '../payment/scan.ts'
import type { KnownShop } from '../shop/shop.ts'
import { hundredths, type TipPreset, tipCents, tipName } from '../shop/tips.ts'
import { type Html, html } from './html.ts'
import type { Texts } from './texts.ts'

/** The value of the choice of a tip that is typed. */
const TYPED = 'other'

/** What the choice of a tip shows. */
export interface TipView {
  scan: Scan
  shop: KnownShop
  filled: Filled
  entry: Entry
  money: Money
  texts: Texts
  percent: Intl.NumberFormat
}

/** The tips of the shop to choose from, before the field to type another; null where the shop has none. */
export function tipChoice({ scan, shop, filled, entry, money, texts, percent }: TipView): Html | null {
  if (shop.tips.length === 0 || !scan.merchant.features.tips) return null
  const chosen = filled.tip.trim() === '' ? filled.tipChoice : TYPED
  const known = chosen === '' || chosen === TYPED || isOffered(chosen, shop)
  const choice = (value: string, label: Html, data: Html | null = null) => {
    const checked = value === (known ? chosen : '') && html` checked`
    return html`<label class="tip"><input type="radio" name="tip-choice" value="${value}"${data}${checked}><span>${label}</span></label>`
  }
  const presets = shop.tips.map(preset => {
    const cents = tipCents(preset, entry.amount)
    const shown = cents === null ? '' : money.format(cents)
    return 'amount' in preset
      ? choice(tipName(preset), html`${shown}`, html` data-cents="${preset.amount}"`)
      : choice(
          tipName(preset),
          html`${percent.format(preset.percent / 100)} <small>${shown}</small>`,
          html` data-hundredths="${hundredths(preset.percent)}"`,
        )
  })
  return html`<fieldset class="field"><legend>${texts.tip}</legend><div class="tips">
${choice('', html`${texts.noTip}`)}${presets}${choice(TYPED, html`${texts.otherTip}`)}</div></fieldset>`
}

function isOffered(name: string, { tips }: KnownShop): boolean {
  return tips.some((preset: TipPreset) => tipName(preset) === name)
}
