import { html } from '@tillkit/http'
import type { Payment } from '@tillkit/till'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { facts, moment, state } from '../../show/facts.ts'
import { button, form } from '../../show/form.ts'
import { way } from './way.ts'

/** One payment: what it is, and its way from the scan to the last attempt of its webhook. */
export const payment = merchantPage({
  ofMerchant: '/payments/{id}',
  needs: 'read',
  async show(visit) {
    const found = await paymentOf(visit)
    if (found === null) return null
    const { till, merchant, visitor, settings } = visit
    const delivery = await till.webhooks.get({ merchantId: merchant.id, paymentId: found.id })
    const again =
      found.status !== 'pending' &&
      merchant.webhookUrl !== null &&
      visitor.may('webhooks') &&
      form(
        visit,
        'redeliver',
        button(delivery === null ? 'Send its webhook' : 'Send its webhook again', 'quiet'),
      )
    return {
      title: `Payment ${settings.formats.count(found.id)}`,
      live: found.status === 'pending' || delivery?.state === 'pending' ? 5 : undefined,
      content: html`<div class="pair"><section class="card"><h2>What it is</h2><div id="facts" data-live-part>${aboutOf(visit, found)}</div></section>
<section class="card"><h2>Its way</h2><div id="way" data-live-part>${way(settings.formats, found, delivery)}</div>${again}</section></div>`,
    }
  },
  actions: {
    redeliver: {
      needs: 'webhooks',
      name: 'webhooks.redeliver',
      says: 'Its webhook is sent again now.',
      async run({ till, merchant, parameter }) {
        await till.webhooks.redeliver({ merchantId: merchant.id, paymentId: Number(parameter) })
        return undefined
      },
    },
  },
})

function paymentOf({ till, merchant, parameter }: MerchantVisit): Promise<Payment | null> {
  return /^[1-9]\d{0,15}$/.test(parameter)
    ? till.payments.get(merchant.id, Number(parameter))
    : Promise.resolve(null)
}

function aboutOf({ settings: { formats } }: MerchantVisit, payment: Payment) {
  const { totalAmount, tipAmount, requiredAmount, extra } = payment
  const names = Object.entries(extra)
  return facts([
    ['Status', html`${state(payment.status)} ${payment.failure}`],
    ['Total', formats.amount(totalAmount)],
    ['Tip in it', tipAmount !== null && formats.amount(tipAmount)],
    ['Owed', requiredAmount !== null && formats.amount(requiredAmount)],
    ['Started', moment(formats, payment.date)],
    ['Merchant’s reference', payment.merchantReference],
    ['Customer’s reference', payment.userReference],
    ['Confirmation code', payment.authCode && html`<span class="mono">${payment.authCode}</span>`],
    ['Scan code', html`<span class="mono">${payment.scanCode}</span> ${payment.scanCodeReference}`],
    ['Device', payment.deviceSerialNumber],
    ['Voucher', payment.isVoucher && 'one was bought'],
    ['Paid with', payment.isVoucherRedemption && 'a voucher'],
    ['Strict', payment.strict && 'yes: the reference is paid once at most'],
    ['Settlement', payment.statementReference ?? html`<span class="soft">not settled</span>`],
    ['Other parameters', names.length > 0 && facts(names)],
  ])
}
